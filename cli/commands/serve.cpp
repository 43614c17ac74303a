// serve

#include "cli/server/network/server.hpp"
#include "cli/session/failure.hpp"
#include "cli/session/output.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "log_files.hpp"
#include "number_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace snl::cli {
namespace {

constexpr unsigned most_threads = 64;

/// SIGINT and SIGTERM, which end a server. A client that has gone raises no signal.
class EndingSignals {
 public:
  /// Until `hold`, nothing is under way: a signal ends the program at once.
  EndingSignals() {
    (void)std::signal(SIGPIPE, SIG_IGN);
    set_handlers([](int) { _exit(static_cast<int>(Exit::done)); });
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
  }
  /// From now on a signal waits until `wait` takes it. Threads that begin later leave it alone too.
  void hold() {
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    set_handlers(SIG_DFL);
  }
  /// A second signal ends the program at once.
  void wait() {
    int signal = 0;
    sigwait(&signals_, &signal);
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  }

 private:
  static void set_handlers(void (*handler)(int)) {
    (void)std::signal(SIGINT, handler);
    (void)std::signal(SIGTERM, handler);
  }

  sigset_t signals_{};
};

/// Raises the limit of open files as far as the system allows: each connection is one.
void allow_many_connections() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

/// Ends the program four seconds after begin(), unless it is destroyed by then: after the server,
/// since it is made before it.
class LastResort {
 public:
  void begin() {
    thread_ = std::jthread([](const std::stop_token& ended) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any().wait_for(lock, ended, std::chrono::seconds(4),
                                             [] { return false; });
      if (!ended.stop_requested()) _exit(static_cast<int>(Exit::done));
    });
  }

 private:
  std::jthread thread_;
};

std::string check_listen(const std::string& text) {
  if (parse_host_and_port(text)) return {};
  return fmt::format("{} isn't HOST:PORT, such as 127.0.0.1:8080 or [::1]:0", text);
}

std::string check_url(const std::string& text) {
  if (PublicUrl::parse(text)) return {};
  return fmt::format("{} isn't http:// or https:// and a host, without a path", text);
}

std::string check_origin(const std::string& text) {
  if (parse_origin(text)) return {};
  return fmt::format("{} isn't an origin, such as https://example.org", text);
}

std::string check_network(const std::string& text) {
  if (Network::parse(text)) return {};
  return fmt::format("{} isn't an address or a network, such as 10.0.0.0/8", text);
}

std::string check_limit(const std::string& text) {
  Limits limits;
  const auto set = set_limit(limits, text);
  return set ? "" : set.error();
}

struct Serve {
  std::string listen = "127.0.0.1:8080";
  std::string url;
  std::optional<unsigned> threads;
  std::vector<std::string> origins;
  std::vector<std::string> proxies;
  std::vector<std::string> limits;
  std::string log_format = "text";
  std::string log_key;
  std::string policy_file;
  std::optional<std::int64_t> between_checkpoints;

  void run(Session& session) const {
    if (between_checkpoints && log_key.empty())
      throw Failure(Exit::usage,
                    fmt::format("--checkpoint-every {}: it sets how often the store's log is "
                                "signed; give --log-key with it",
                                *between_checkpoints));
    allow_many_connections();
    EndingSignals signals;
    LastResort last_resort;
    Server server(settings(session.db_path_to_create()));
    signals.hold();
    server.start();
    if (!server.is_local())
      warn(
          fmt::format("{} can be reached from other machines, and nothing is encrypted: put a "
                      "proxy with TLS in front",
                      server.address()));
    if (const auto addresses = server.addresses_for_others(); !addresses.empty())
      warn(fmt::format("others open http://{}", fmt::join(addresses, " or http://")));
    print_line(fmt::format("listening on http://{}", server.address()));
    flush();
    signals.wait();
    // Turns are durable by now, so nothing waits for a client that doesn't read its response, or
    // for a database that is away.
    last_resort.begin();
    server.stop();
  }

 private:
  ServerSettings settings(const std::string& store) const {
    ServerSettings settings;
    settings.store = store;
    settings.listen = *parse_host_and_port(listen);
    settings.threads =
        threads.value_or(std::clamp(std::thread::hardware_concurrency(), 1U, most_threads));
    if (!url.empty()) settings.gate.url = PublicUrl::parse(url);
    for (const std::string& origin : origins)
      settings.gate.allowed_origins.push_back(*parse_origin(origin));
    for (const std::string& proxy : proxies)
      settings.gate.trusted_proxies.push_back(*Network::parse(proxy));
    for (const std::string& limit : limits)
      (void)set_limit(settings.gate.limits, limit);
    settings.log_format = log_format == "json" ? LogFormat::json : LogFormat::text;
    settings.log_descriptor = STDERR_FILENO;
    settings.log_key = log_key;
    if (!policy_file.empty()) settings.log_policy = read_policy_text(policy_file);
    if (!policy_file.empty() && !log_key.empty())
      require_log_of(transparency::Policy::parse(settings.log_policy).value(), policy_file,
                     log_key);
    if (between_checkpoints)
      settings.between_checkpoints = std::chrono::seconds(*between_checkpoints);
    return settings;
  }
};

}  // namespace

void add_serve(CLI::App& app, Session& session) {
  auto [command, options] = add_command<Serve>(
      app, session, "serve", "Let people play in a browser, and programs by HTTP and JSON");
  add_value(command, "--listen", options.listen, "HOST:PORT",
            "Where to listen (default: 127.0.0.1:8080)")
      ->check(check_listen);
  add_value(command, "--url", options.url, "URL",
            "The address that people open, if a proxy stands in front")
      ->check(check_url);
  add_number(command, "--threads", options.threads,
             "Threads for connections, and for reading (default: one per core)", 1, most_threads);
  add_repeated(command, "--allow-origin", options.origins, "ORIGIN",
               "Allow requests by the pages of another site (CORS); may be repeated")
      ->check(check_origin);
  add_repeated(command, "--trusted-proxy", options.proxies, "NET",
               "Believe the X-Forwarded-For of these addresses; may be repeated")
      ->check(check_network);
  add_repeated(command, "--limit", options.limits, "NAME=N",
               "Change one of the limits (0: none); may be repeated")
      ->check(check_limit);
  add_word(command, "--log-format", options.log_format, {"text", "json"}, "FORMAT",
           "The form of the log on stderr (default: text)");
  add_value(command, "--log-key", options.log_key, "FILE",
            "Sign the store's log with this key, and serve it under /log");
  add_value(command, "--policy", options.policy_file, "FILE",
            "Publish once the policy's witnesses have cosigned (default: none)");
  add_number(command, "--checkpoint-every", options.between_checkpoints,
             "With --log-key: sign at most every N seconds (10)", 1, 86'400);
  command.footer(
      R"(Port 0 picks a free port. Ctrl-C or SIGTERM ends the server; it finishes what is under way.
Limits: streams 10000; connections 1000 per address; writes 20 a second per token or address;
games 100 an hour per address; open 1000 not started; cells 10000 per board;
exports 2 seconds of work a minute per address;
auto 1500 ms before the server rolls for a seat that nobody plays;
draw 60 s for entropy to come.
Before other machines use it, put a proxy with TLS in front: --url gives the proxy's name, and
--trusted-proxy its address.)");
}

}  // namespace snl::cli
