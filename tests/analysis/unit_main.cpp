// Examples of every answer about boards and rules, one executable.
#define BOOST_TEST_MODULE analysis_unit
#include <boost/test/unit_test.hpp>
