// main() of every test program in C++: Boost.Test's own.
#define BOOST_TEST_MODULE snl
#include <boost/test/unit_test.hpp>
