// What holds for any board and rules, one executable.
#define BOOST_TEST_MODULE analysis_properties
#include <boost/test/unit_test.hpp>
