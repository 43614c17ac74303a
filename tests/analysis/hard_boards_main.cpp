// Exact odds of hard boards: some hundred, or as many thousands as are asked for.
#define BOOST_TEST_MODULE analysis_hard_boards
#include <boost/test/unit_test.hpp>
