// What holds for any board, rules, players and turns, one executable.
#define BOOST_TEST_MODULE domain_properties
#include <boost/test/unit_test.hpp>
