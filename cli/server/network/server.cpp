#include "server.hpp"

#include "cli/server/game_reader.hpp"
#include "cli/server/game_writer.hpp"
#include "cli/server/gzip.hpp"
#include "cli/server/problem.hpp"
#include "cli/server/published_log.hpp"
#include "cli/witness/log_maker.hpp"
#include "documents.hpp"
#include "domain/names.hpp"
#include "storage/open_store.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <exception>
#include <future>
#include <map>
#include <stdexcept>
#include <utility>

namespace snl::cli {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;
using Tcp = asio::ip::tcp;

constexpr std::size_t writes_at_once = 256;  // in a transaction
constexpr std::size_t reads_at_once = 16;    // from the queue, for one thread
constexpr std::size_t long_ones_at_once = 1;
constexpr auto longest_batch = 2ms;
constexpr std::size_t most_turned_away = 64;  // connections of an address that get a response
constexpr auto between_cares = 10s;
constexpr auto longest_probe = 1s;   // then the store counts as silent
constexpr auto after_refusal = 30s;  // then a write may work again, even if nobody has tried

constexpr std::array types_of_faults{
    NamedValue{"request-timeout", 408U},         NamedValue{"too-large", 413U},
    NamedValue{"expectation-failed", 417U},      NamedValue{"too-many-requests", 429U},
    NamedValue{"header-fields-too-large", 431U}, NamedValue{"http-version-not-supported", 505U}};

std::string_view type_of_fault(unsigned status) {
  const std::string_view type = name_of(types_of_faults, status);
  return type.empty() ? "unreadable" : type;
}

HttpResponse unavailable(const std::string& detail) {
  return response_of(HttpProblem(503, "unavailable", detail).with_header("Retry-After", "1"));
}

HttpResponse too_many_wait() {
  return unavailable("too many requests wait; send this one again");
}

HttpResponse failed() {
  return response_of(HttpProblem(500, "internal-error", "the server failed; its log says more"));
}

/// Whether many games may have to be read for a response.
bool is_list(std::string_view path) {
  return path == "/" || path == "/api/games";
}

/// The work of this thread, without the time of others that have the processor meanwhile.
std::chrono::microseconds worked_by_this_thread() {
  timespec time{};
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

/// Lets the server's other threads run before this one, which gets about a tenth of a processor
/// that they want. With less than that, exports would take minutes on a busy machine.
void give_way() {
  (void)nice(10);  // on Linux, of this thread alone (nice(2))
}

/// Whether a browser asked for a page: programs get JSON, and all paths below /api are for them.
bool is_for_people(const HttpRequest& request) {
  return (request.method == "GET" || request.method == "HEAD") &&
         !path_of(request.target).starts_with("/api/") &&
         request.header("accept").value_or("").contains("text/html");
}

/// Of a body's two forms, picks the smaller one for clients that accept it.
void choose_coding(const HttpRequest& request, HttpResponse& response) {
  if (!response.gzipped) return;
  add_vary(response, "Accept-Encoding");
  if (!accepts_gzip(request.header("accept-encoding").value_or(""))) return;
  response.body = response.gzipped;
  response.headers.emplace_back("Content-Encoding", "gzip");
}

bool is_turn(const HttpRequest& request) {
  return request.method == "POST" && path_of(request.target).ends_with("/turns");
}

/// The hub may not exist yet: nothing uses it before the server has started.
GameSettings settings_of_games(const Limits& limits, RequestLog& log, StreamHub& hub,
                               std::atomic<SteadyClock::time_point>& refused,
                               const PublishedLog* store_log) {
  GameSettings settings;
  settings.most_cells = limits.cells;
  settings.most_waiting = limits.open;
  settings.auto_wait = std::chrono::milliseconds(limits.automatic);
  settings.draw_wait = std::chrono::seconds(limits.draw);
  settings.is_watched = [&hub](const std::string& game) { return hub.is_followed(game); };
  settings.newly_watched = [&hub] { return hub.newly_followed(); };
  settings.report_failure = [&log](std::string_view why) { log.note(why); };
  settings.report_write = [&refused](bool is_taken) {
    refused = is_taken ? SteadyClock::time_point{} : SteadyClock::now();
  };
  settings.log = store_log;
  return settings;
}

Tcp::endpoint endpoint_of(const HostAndPort& listen, asio::io_context& context) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(listen.host, error);
  if (!error) return {address, listen.port};
  Tcp::resolver resolver(context);
  const auto found = resolver.resolve(listen.host, fmt::to_string(listen.port), error);
  if (error || found.empty())
    throw std::runtime_error(fmt::format("{}: {}; give an address of this machine with --listen",
                                         listen.host, error.message()));
  return *found.begin();
}

}  // namespace

/// A store and its hosted games, open for one thread.
struct Server::ToRead {
  ToRead(const std::string& location, KnownGames& known, const GameSettings& settings,
         const Pages::Settings& page_settings)
      : log(settings.log),
        admin(admin_of_store(location)),
        store(open_store(location, for_reading)),
        hosted_games(open_hosted_games(location)),
        reader(*store, *hosted_games, known, settings),
        pages(*store, *hosted_games, known, page_settings) {}
  HttpResponse response(const HttpRequest& request) {
    if (auto page = pages.response(request)) return *std::move(page);
    if (log != nullptr && is_of_log(path_of(request.target))) return log->response(request);
    return reader.response(request);
  }
  /// Whether the store can be read, and no known fault makes it refuse turns.
  bool is_ready() { return reader.is_ready() && !admin->doubt(); }

  const PublishedLog* log;
  std::unique_ptr<StoreAdmin> admin;
  std::unique_ptr<StoreReader> store;
  std::unique_ptr<HostedGameStore> hosted_games;
  GameReader reader;
  Pages pages;
};

struct Server::Stores {
  struct ToWrite {
    ToWrite(const std::string& location, KnownGames& known, const GameSettings& settings)
        : store(open_store(location, for_writing)),
          hosted_games(open_hosted_games(location)),
          writer(*store, *hosted_games, known, settings) {}
    std::unique_ptr<EventStore> store;
    std::unique_ptr<HostedGameStore> hosted_games;
    GameWriter writer;
  };
  struct ToFollow {
    ToFollow(const std::string& location, KnownGames& known)
        : store(open_store(location, for_reading)),
          hosted_games(open_hosted_games(location)),
          feed(*store, *hosted_games, known) {}
    std::unique_ptr<StoreReader> store;
    std::unique_ptr<HostedGameStore> hosted_games;
    GameFeed feed;
  };

  /// The writer comes first: it makes the store.
  Stores(const std::string& location, const GameSettings& settings,
         const Pages::Settings& page_settings, unsigned readers)
      : to_write(location, known, settings) {
    to_write.writer.recover();
    to_follow.emplace(location, known);
    for (unsigned i = 0; i < readers; ++i)
      to_read.push_back(std::make_unique<ToRead>(location, known, settings, page_settings));
    to_list = std::make_unique<ToRead>(location, known, settings, page_settings);
    to_show = std::make_unique<ToRead>(location, known, settings, page_settings);
    to_defer = std::make_unique<ToRead>(location, known, settings, page_settings);
    to_export = std::make_unique<ToRead>(location, known, settings, page_settings);
    to_probe = std::make_unique<ToRead>(location, known, settings, page_settings);
  }

  KnownGames known;
  ToWrite to_write;
  std::optional<ToFollow> to_follow;
  std::vector<std::unique_ptr<ToRead>> to_read;
  std::unique_ptr<ToRead> to_list;
  std::unique_ptr<ToRead> to_show;  // pages of games
  std::unique_ptr<ToRead> to_defer;
  std::unique_ptr<ToRead> to_export;
  std::unique_ptr<ToRead> to_probe;
};

namespace {

std::vector<std::unique_ptr<EventLoop>> loops_of(unsigned count, RequestHandler& handler,
                                                 const ClientTimeouts& timeouts) {
  std::vector<std::unique_ptr<EventLoop>> loops;
  loops.reserve(count);
  for (unsigned i = 0; i < count; ++i)
    loops.push_back(std::make_unique<EventLoop>(handler, timeouts));
  return loops;
}

}  // namespace

Server::Server(ServerSettings settings)
    : settings_(std::move(settings)),
      page_settings_{.url = settings_.gate.url ? settings_.gate.url->text : "", .others = {}},
      log_(settings_.log_descriptor, settings_.log_format),
      gate_(settings_.gate),
      connections_(settings_.gate.limits.connections),
      turned_away_(most_turned_away),
      streams_(settings_.gate.limits.streams),
      published_log_(publish_log()),
      stores_(std::make_unique<Stores>(
          settings_.store,
          settings_of_games(settings_.gate.limits, log_, hub_, refused_, published_log_.get()),
          page_settings_, settings_.threads)),
      loops_(loops_of(settings_.threads, *this, settings_.timeouts)),
      hub_(loops_, metrics_),
      acceptor_(loops_.front()->context()),
      accept_timer_(loops_.front()->context()) {
  if (!settings_.log_key.empty()) log_maker_ = sign_log();
  listen();
  const auto addresses = addresses_for_others();
  if (!addresses.empty()) page_settings_.others = "http://" + addresses.front();
}

std::unique_ptr<PublishedLog> Server::publish_log() {
  return std::make_unique<PublishedLog>(
      admin_of_store(settings_.store),
      PublishedLogSettings{
          .policy = settings_.log_policy,
          .is_signed = !settings_.log_key.empty(),
          .is_contradicted = [this] { return log_maker_ && log_maker_->is_contradicted(); },
          .report_failure = [this](std::string_view why) { log_.note(why); }});
}

/// The store is there by now.
std::unique_ptr<LogMaker> Server::sign_log() {
  LogMakerSettings settings{.key_file = settings_.log_key,
                            .policy = std::nullopt,
                            .every = settings_.between_checkpoints,
                            .report = [this](std::string_view what) { log_.note(what); }};
  if (!settings_.log_policy.empty())
    settings.policy = transparency::Policy::parse(settings_.log_policy).value();
  auto store = admin_of_store(settings_.store);
  if (const auto danger = store->danger_to_log()) log_.note(*danger);
  return std::make_unique<LogMaker>(std::move(store), std::move(settings));
}

Server::~Server() {
  for (auto* queue : {&reads_, &lists_, &pages_, &deferred_, &exports_, &probes_, &writes_})
    queue->close();
  hub_.stop();
  threads_.clear();
  for (const auto& loop : loops_)
    loop->end();
}

void Server::listen() {
  const Tcp::endpoint endpoint = endpoint_of(settings_.listen, loops_.front()->context());
  boost::system::error_code error;
  (void)acceptor_.open(endpoint.protocol(), error);
  if (!error) (void)acceptor_.set_option(Tcp::acceptor::reuse_address(true), error);
  if (!error) (void)acceptor_.bind(endpoint, error);
  if (!error) (void)acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    throw std::runtime_error(fmt::format("{}: {}; listen elsewhere with --listen",
                                         to_text(endpoint.address(), endpoint.port()),
                                         error.message()));
}

std::string Server::address() const {
  const Tcp::endpoint endpoint = acceptor_.local_endpoint();
  return to_text(endpoint.address(), endpoint.port());
}

std::vector<std::string> Server::addresses_for_others() const {
  const Tcp::endpoint endpoint = acceptor_.local_endpoint();
  std::vector<std::string> addresses;
  if (!endpoint.address().is_unspecified()) return addresses;
  for (const IpAddress& each : addresses_of_this_machine())
    addresses.push_back(to_text(each, endpoint.port()));
  return addresses;
}

bool Server::is_local() const {
  return acceptor_.local_endpoint().address().is_loopback();
}

void Server::start() {
  hub_.start(stores_->to_follow->feed, [this](const std::string& why) { log_.note(why); });
  const auto begin = [this](WorkQueue<Job>& queue, std::size_t at_once, ToRead& reader) {
    threads_.emplace_back([this, &queue, at_once, &reader] { read(queue, at_once, reader); });
  };
  for (const auto& reader : stores_->to_read)
    begin(reads_, reads_at_once, *reader);
  begin(lists_, long_ones_at_once, *stores_->to_list);
  begin(pages_, long_ones_at_once, *stores_->to_show);
  begin(deferred_, long_ones_at_once, *stores_->to_defer);
  begin(exports_, long_ones_at_once, *stores_->to_export);
  threads_.emplace_back([this] { say_whether_ready(); });
  if (log_maker_) log_maker_->start();
  threads_.emplace_back([this] { write(); });
  for (const auto& loop : loops_)
    loop->start();
  loops_.front()->post([this] { accept_next(); });
}

void Server::stop() {
  loops_.front()->post([this] {
    boost::system::error_code error;
    (void)acceptor_.close(error);
    accept_timer_.cancel();
  });
  for (const auto& loop : loops_)
    loop->stop_connections();
  while (metrics_.open_connections.load() > 0)
    std::this_thread::sleep_for(5ms);
}

// ---- Connections

void Server::accept_next() {
  if (!acceptor_.is_open()) return;
  EventLoop& loop = *loops_[next_loop_++ % loops_.size()];
  acceptor_.async_accept(loop.context(), [this, &loop](const boost::system::error_code& error,
                                                       ClientConnection::Socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (error) return wait_before_accepting();
    accept(std::move(socket), loop);
    accept_next();
  });
}

/// There are no descriptors left, or no memory. Open connections go on, and will free some.
void Server::wait_before_accepting() {
  accept_timer_.expires_after(50ms);
  accept_timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) accept_next();
  });
}

void Server::accept(ClientConnection::Socket socket, EventLoop& loop) {
  boost::system::error_code error;
  const IpAddress peer = plain(socket.remote_endpoint(error).address());
  if (error) return;
  // All of a proxy's clients come by its address.
  const std::string who = gate_.is_trusted_proxy(peer) ? "" : counted_as(peer);
  auto welcome = ClientConnection::Welcome::served;
  if (!who.empty() && !connections_.take(who)) {
    metrics_.refused_connections.fetch_add(1);
    if (!turned_away_.take(who)) return;
    welcome = ClientConnection::Welcome::turned_away;
  }
  metrics_.connections.fetch_add(1);
  metrics_.open_connections.fetch_add(1);
  auto connection = std::make_shared<ClientConnection>(loop, std::move(socket), peer, who, welcome);
  loop.post([connection = std::move(connection), &loop] { loop.adopt(connection); });
}

void Server::closed(ClientConnection& connection) {
  const std::string& who = connection.counted_as();
  if (!who.empty())
    (connection.welcome() == ClientConnection::Welcome::served ? connections_ : turned_away_)
        .give_back(who);
  if (const auto* stream = static_cast<const GameStream*>(connection.stream())) {
    hub_.unfollow(connection, *stream);
    metrics_.open_streams.fetch_sub(1);
    streams_.give_back("");
  }
  metrics_.open_connections.fetch_sub(1);
}

void Server::happened(const ClientConnection& /*connection*/, Event event) {
  switch (event) {
    case Event::timed_out:
      metrics_.timeouts.fetch_add(1);
      break;
    case Event::slow_stream:
      metrics_.slow_streams.fetch_add(1);
      break;
  }
}

// ---- Requests

void Server::handle(const std::shared_ptr<ClientConnection>& connection, ReceivedRequest request) {
  if (auto response = gate_.admit(request, connection->peer(), SteadyClock::now()))
    return send(connection, request, *std::move(response));
  if (auto response = respond_here(request)) return send(connection, request, *std::move(response));
  if (const auto refused = queue_of(request).put({connection, std::move(request)}))
    send(connection, refused->request, too_many_wait());
}

WorkQueue<Server::Job>& Server::queue_of(const HttpRequest& request) {
  const std::string_view path = path_of(request.target);
  if (is_write(request) && !is_page(path) && !is_of_log(path)) return writes_;
  if (path == "/readyz") return probes_;
  if (path.ends_with("/export")) return exports_;
  if (is_page_of_game(path)) return pages_;
  return is_list(path) ? lists_ : reads_;
}

std::optional<HttpResponse> Server::respond_here(const HttpRequest& request) const {
  const std::string_view path = path_of(request.target);
  if (!is_document(path)) return std::nullopt;
  if (request.method != "GET" && request.method != "HEAD") return wrong_method_for_document();
  if (path == "/readyz") return std::nullopt;  // the store must be read
  if (path == "/metrics" && !request.is_loopback)
    return response_of(HttpProblem(403, "forbidden", "metrics are for loopback addresses only"));
  if (path == "/metrics")
    return metrics_document(metrics_.text() + (log_maker_ ? log_maker_->metrics() : ""));
  return document(path, request);
}

HttpResponse Server::response_to_fault(const RequestFault& fault) {
  HttpProblem problem(fault.status, type_of_fault(fault.status), fault.detail);
  if (fault.status == 429) problem.headers.emplace_back("Retry-After", "1");
  HttpResponse response = response_of(problem);
  add_security_fields(response);
  return response;
}

void Server::responded(const ClientConnection& connection, const HttpRequest& request,
                       unsigned status, std::size_t bytes,
                       std::chrono::steady_clock::duration took) {
  metrics_.count_request(request.method, status, took);
  log_.add({.time = system_time(),
            .address = request.address.empty() ? connection.peer().to_string() : request.address,
            .method = request.method.empty() ? "-" : request.method,
            .target = request.target.empty() ? "-" : request.target,
            .status = status,
            .bytes = bytes,
            .took = took});
}

void Server::send(const std::shared_ptr<ClientConnection>& connection, const HttpRequest& request,
                  HttpResponse response) {
  const bool streams = response.stream.has_value() && request.method != "HEAD";
  if (streams && connection->is_open() && !streams_.take(""))
    response = response_of(
        HttpProblem(429, "too-many-requests", "too many streams are open; try again later")
            .with_header("Retry-After", "5"));
  if (response.header("Content-Type") == "application/problem+json" && is_for_people(request))
    response = page_of_problem(response, page_settings_);
  choose_coding(request, response);
  gate_.let_out(request, response);
  connection->know_client(request.address);
  if (!streams || !response.stream) return connection->respond(response);
  open_stream(connection, response);
}

void Server::open_stream(const std::shared_ptr<ClientConnection>& connection,
                         const HttpResponse& response) {
  if (!connection->is_open()) return;
  auto stream = std::make_unique<GameStream>(hub_, response.stream->game,
                                             GameFeed::opening(*response.stream));
  GameStream& opened = *stream;
  metrics_.streams.fetch_add(1);
  metrics_.open_streams.fetch_add(1);
  hub_.follow(*connection, opened);
  connection->begin_stream(response, std::move(stream));
  if (!connection->offer(std::make_shared<const std::string>("retry: 2000\n\n"))) return;
  opened.ask(*connection);
}

/// Sends the responses, by the loops of their requests.
void Server::post_responses(std::vector<Job> jobs, std::vector<HttpResponse> responses) {
  using Responded = std::vector<std::pair<Job, HttpResponse>>;
  std::map<EventLoop*, std::shared_ptr<Responded>> by_loop;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto& responded = by_loop[&jobs[i].connection->loop()];
    if (!responded) responded = std::make_shared<Responded>();
    responded->emplace_back(std::move(jobs[i]), std::move(responses[i]));
  }
  for (const auto& [loop, responded] : by_loop)
    loop->post([this, responded] {
      for (auto& [job, response] : *responded) {
        gate_.settle(job.request, response, SteadyClock::now());
        send(job.connection, job.request, std::move(response));
      }
    });
}

/// Lets a request wait if its address has had its share. Decides when its turn comes: only then are
/// the ones before it paid for.
bool Server::defer(Job& job) {
  if (!gate_.has_had(job.share, job.request, SteadyClock::now())) return false;
  if (auto refused = deferred_.put(std::move(job))) {
    std::vector<Job> jobs;
    jobs.push_back(*std::move(refused));
    post_responses(std::move(jobs), {too_many_wait()});
  }
  return true;
}

/// To ask for a thread's work takes longer than many a state does. So that is done once a batch,
/// and again when one has taken long.
void Server::read(WorkQueue<Job>& queue, std::size_t at_once, ToRead& reader) {
  const bool may_defer = &queue == &reads_ || &queue == &lists_ || &queue == &pages_;
  const bool is_charged = may_defer || &queue == &deferred_;
  if (!may_defer) give_way();
  while (true) {
    auto taken = queue.take(at_once);
    if (taken.empty()) return;
    auto begun = SteadyClock::now();
    auto worked = is_charged ? worked_by_this_thread() : 0us;
    std::vector<Job> jobs;
    std::vector<HttpResponse> responses;
    for (Job& job : taken) {
      if (&queue == &reads_) job.share = Gate::Share::states;
      if (may_defer && defer(job)) continue;
      try {
        responses.push_back(&queue == &exports_ ? export_response(job.request, reader)
                                                : reader.response(job.request));
      } catch (const std::exception& error) {
        log_.note(error.what());
        responses.push_back(failed());
      }
      if (responses.back().status == 503) metrics_.store_failures.fetch_add(1);
      jobs.push_back(std::move(job));
      const auto now = SteadyClock::now();
      if (now - begun < longest_batch) continue;
      if (is_charged) {
        const auto before = std::exchange(worked, worked_by_this_thread());
        gate_.charge(jobs.back().share, jobs.back().request, worked - before, now);
      }
      // Those that are answered don't wait for the rest.
      post_responses(std::exchange(jobs, {}), std::exchange(responses, {}));
      begun = now;
    }
    post_responses(std::move(jobs), std::move(responses));
  }
}

HttpResponse Server::export_response(const HttpRequest& request, ToRead& reader) {
  if (auto refused = gate_.admit_export(request, SteadyClock::now())) return *std::move(refused);
  const auto begun = worked_by_this_thread();
  HttpResponse made = reader.response(request);
  const auto work = worked_by_this_thread() - begun;
  gate_.charge_export(request, std::chrono::duration_cast<std::chrono::milliseconds>(work),
                      SteadyClock::now());
  return made;
}

/// A reader retries a lost store for longer than a caller of /readyz waits. So the probe has a
/// thread of its own.
void Server::say_whether_ready() {
  ToRead& stores = *stores_->to_probe;
  std::future<bool> probe;
  while (true) {
    auto jobs = probes_.take(most_waiting);
    if (jobs.empty()) return;
    const auto has_ended_within = [&probe](std::chrono::milliseconds time) {
      return probe.valid() && probe.wait_for(time) == std::future_status::ready;
    };
    if (has_ended_within(0ms)) probe.get();  // its request didn't wait for it
    if (!probe.valid())
      probe = std::async(std::launch::async, [&stores] { return stores.is_ready(); });
    auto refused = refused_.load();
    const bool has_answered = has_ended_within(longest_probe);
    const bool can_read = has_answered && probe.get();
    if (has_answered && !can_read)  // readers will see the end of it, too
      refused_.compare_exchange_strong(refused, SteadyClock::time_point{});
    const bool is_ready = can_read && can_write();
    if (!is_ready) metrics_.store_failures.fetch_add(jobs.size());
    std::vector<HttpResponse> responses(jobs.size(), readiness_document(is_ready));
    post_responses(std::move(jobs), std::move(responses));
  }
}

/// False while the last write failed for the store's reason: it is full, read-only or away. But a
/// server that gets no writes while it isn't ready can't find out that they work again.
bool Server::can_write() const {
  const auto refused = refused_.load();
  return refused == SteadyClock::time_point{} || SteadyClock::now() - refused > after_refusal;
}

void Server::write() {
  auto next_care = SteadyClock::now() + between_cares;
  while (true) {
    auto jobs = writes_.take_until(writes_at_once,
                                   std::min(next_care, stores_->to_write.writer.next_deadline()));
    if (jobs.empty() && writes_.is_closed()) return;
    if (!jobs.empty()) {
      auto responses = write_batch(jobs);
      hub_.wake();
      post_responses(std::move(jobs), std::move(responses));
    }
    play_on();
    if (SteadyClock::now() < next_care) continue;
    maintain();
    next_care = SteadyClock::now() + between_cares;
  }
}

std::vector<HttpResponse> Server::write_batch(std::vector<Job>& jobs) {
  std::vector<HttpRequest> requests;
  requests.reserve(jobs.size());
  for (Job& job : jobs)
    requests.push_back(std::move(job.request));
  std::vector<HttpResponse> responses;
  const auto begun = SteadyClock::now();
  try {
    responses = stores_->to_write.writer.response(requests);
  } catch (const std::exception& error) {
    log_.note(error.what());
    responses.assign(jobs.size(), failed());
  }
  for (std::size_t i = 0; i < jobs.size(); ++i)
    jobs[i].request = std::move(requests[i]);
  metrics_.batches.add(SteadyClock::now() - begun);
  metrics_.batched_writes.fetch_add(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const HttpResponse& response = responses[i];
    const bool is_replayed = response.header("Idempotent-Replayed").has_value();
    if (response.status == 503) metrics_.store_failures.fetch_add(1);
    if (response.status == 200 && is_turn(jobs[i].request) && !is_replayed)
      metrics_.turns.fetch_add(1);
  }
  return responses;
}

void Server::play_on() {
  GameWriter& writer = stores_->to_write.writer;
  if (SteadyClock::now() < writer.next_deadline()) return;
  try {
    if (writer.play_on()) hub_.wake();
  } catch (const std::exception& error) {
    log_.note(error.what());
  }
}

void Server::maintain() {
  try {
    hub_.wake(stores_->to_write.writer.maintain());
  } catch (const std::exception& error) {
    log_.note(error.what());
  }
}

}  // namespace snl::cli
