// Examples of every rule, one executable.
#define BOOST_TEST_MODULE domain_unit
#include <boost/test/unit_test.hpp>
