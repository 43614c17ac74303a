// Games played in lanes and on threads, one executable: it runs under the thread sanitizer too.
#define BOOST_TEST_MODULE analysis_simulation
#include <boost/test/unit_test.hpp>
