// Goal: a cache stays within its bound, and returns the values that were put into it. Method:
// arbitrary weights.
#include "storage/bounded_map.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using snl::BoundedMap;

BOOST_AUTO_TEST_SUITE(a_bounded_map)

BOOST_AUTO_TEST_CASE(forgets_all_rather_than_exceed_its_bound) {
  BoundedMap<int, std::string> map(3);
  for (int i = 0; i < 3; ++i)
    map.put(i, "x");
  BOOST_TEST(map.find(0) != nullptr);
  map.put(3, "y");
  BOOST_TEST(map.find(0) == nullptr);
  BOOST_TEST(*map.find(3) == "y");
  BOOST_TEST(map.weight() == 1U);
}

BOOST_AUTO_TEST_CASE(counts_weights) {
  BoundedMap<int, std::string> map(100);
  map.put(1, "a", 60);
  map.put(2, "b", 40);
  BOOST_TEST(map.weight() == 100U);
  map.put(2, "c", 30);  // in place of the other
  BOOST_TEST(map.weight() == 90U);
  BOOST_TEST(*map.find(1) == "a");
  map.erase(1);
  map.erase(1);
  BOOST_TEST(map.weight() == 30U);
  map.put(3, "d", 71);
  BOOST_TEST(map.find(2) == nullptr);
  BOOST_TEST(map.weight() == 71U);
}

BOOST_AUTO_TEST_CASE(keeps_one_value_that_is_heavier_than_its_bound) {
  BoundedMap<int, std::string> map(10);
  map.put(1, "a", 5);
  BOOST_TEST(map.put(2, "b", 50) == "b");
  BOOST_TEST(map.find(1) == nullptr);
  map.put(1, "a", 5);
  BOOST_TEST(map.find(2) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
