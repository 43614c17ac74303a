// Goal: the server retries a witness that doesn't cosign, less and less often.
#include "cli/witness/cosigning.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <vector>

namespace snl::test {

BOOST_AUTO_TEST_CASE(a_silent_witness_is_asked_less_and_less_often) {
  const cli::AskingWaits::Time start = std::chrono::steady_clock::now();
  cli::AskingWaits waits;
  BOOST_TEST((waits.due() <= start));
  std::vector<std::int64_t> seconds;
  for (int i = 0; i < 9; ++i) {
    waits.failed(start);
    seconds.push_back(
        std::chrono::duration_cast<std::chrono::seconds>(waits.due() - start).count());
  }
  BOOST_TEST(seconds == (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 60, 60, 60}),
             boost::test_tools::per_element());
  waits.cosigned();
  BOOST_TEST((waits.due() <= start));
  waits.failed(start);
  BOOST_TEST((waits.due() == start + std::chrono::seconds(1)));
}

}  // namespace snl::test
