#include "metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace snl::cli {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

template <class Number>
void add_metric(std::string& text, std::string_view name, std::string_view type,
                std::string_view help, Number value) {
  text += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n{0} {3}\n", name, type, help, value);
}

void add_heading(std::string& text, std::string_view name, std::string_view type,
                 std::string_view help) {
  text += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

}  // namespace

void LatencyHistogram::add(std::chrono::steady_clock::duration took) {
  const double seconds = std::chrono::duration<double>(took).count();
  const auto* const bound = std::ranges::lower_bound(bounds, seconds);
  counts_[static_cast<std::size_t>(bound - bounds.begin())].fetch_add(1, relaxed);
  const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(took).count();
  nanoseconds_.fetch_add(static_cast<std::uint64_t>(std::max<std::int64_t>(0, nanoseconds)),
                         relaxed);
}

std::string LatencyHistogram::text(std::string_view name) const {
  std::string text;
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    so_far += counts_[i].load(relaxed);
    text += fmt::format("{}_bucket{{le=\"{}\"}} {}\n", name, bounds[i], so_far);
  }
  so_far += counts_.back().load(relaxed);
  text += fmt::format("{0}_bucket{{le=\"+Inf\"}} {1}\n{0}_sum {2:.9f}\n{0}_count {1}\n", name,
                      so_far, static_cast<double>(nanoseconds_.load(relaxed)) / 1e9);
  return text;
}

void Metrics::count_request(std::string_view method, unsigned status,
                            std::chrono::steady_clock::duration took) {
  const auto* const named = std::ranges::find(methods, method);
  const std::size_t which = named == methods.end()
                                ? methods.size() - 1
                                : static_cast<std::size_t>(named - methods.begin());
  const auto code = std::min<std::size_t>(status, most_statuses - 1);
  requests_[which][code].fetch_add(1, relaxed);
  latencies_.add(took);
}

std::string Metrics::text() const {
  std::string text;
  add_heading(text, "snl_http_requests_total", "counter", "Requests that got a response.");
  std::uint64_t errors = 0;
  std::uint64_t refusals = 0;
  for (std::size_t method = 0; method < methods.size(); ++method)
    for (std::size_t status = 0; status < most_statuses; ++status) {
      const std::uint64_t count = requests_[method][status].load(relaxed);
      if (count == 0) continue;
      if (status >= 500) errors += count;
      if (status == 429) refusals += count;
      text += fmt::format("snl_http_requests_total{{method=\"{}\",status=\"{}\"}} {}\n",
                          methods[method], status, count);
    }
  add_heading(text, "snl_http_request_duration_seconds", "histogram",
              "Seconds from a request's first byte to its response's last; for a stream, to its "
              "beginning.");
  text += latencies_.text("snl_http_request_duration_seconds");
  add_metric(text, "snl_http_errors_total", "counter", "Requests with status 500 or above.",
             errors);
  add_metric(text, "snl_http_refusals_total", "counter", "Requests with status 429.", refusals);
  add_metric(text, "snl_store_failures_total", "counter",
             "Requests with status 503 because the store failed.", store_failures.load(relaxed));
  add_metric(text, "snl_turns_total", "counter", "Turns recorded for requests.",
             turns.load(relaxed));
  add_metric(text, "snl_connections_total", "counter", "Connections accepted.",
             connections.load(relaxed));
  add_metric(text, "snl_connections", "gauge", "Connections open.", open_connections.load(relaxed));
  add_metric(text, "snl_connections_refused_total", "counter",
             "Connections closed at once because their address had too many.",
             refused_connections.load(relaxed));
  add_metric(text, "snl_connections_timed_out_total", "counter",
             "Connections closed because a request or the reading of a response took too long.",
             timeouts.load(relaxed));
  add_metric(text, "snl_streams_total", "counter", "Streams opened.", streams.load(relaxed));
  add_metric(text, "snl_streams", "gauge", "Streams open.", open_streams.load(relaxed));
  add_metric(text, "snl_streams_slow_total", "counter",
             "Streams closed because their client read too slowly.", slow_streams.load(relaxed));
  add_metric(text, "snl_commits_published_total", "counter",
             "Commits published to the streams that follow their game.",
             commits_published.load(relaxed));
  add_heading(
      text, "snl_stream_delay_seconds", "histogram",
      "Seconds from the detection of a change to its delivery to all streams that follow it.");
  text += delays.text("snl_stream_delay_seconds");
  add_heading(text, "snl_transaction_seconds", "histogram",
              "Seconds of a transaction that records waiting writes together.");
  text += batches.text("snl_transaction_seconds");
  add_metric(text, "snl_transaction_writes_total", "counter", "Writes in those transactions.",
             batched_writes.load(relaxed));
  return text;
}

}  // namespace snl::cli
