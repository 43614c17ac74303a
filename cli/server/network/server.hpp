// The server: sockets in front, the store behind, and the threads between them.
//
// Event loops read requests and send responses. Threads for reading answer requests that change
// nothing, each on a store that is open for it alone. Lists, pages of games and exports each have
// such a thread, so nobody else waits for those. So do states, lists and pages for addresses that
// have had their share. One thread writes: it takes all waiting writes at once, so many of them
// share a transaction and its sync. Another follows the store for the streams.
#pragma once

#include "cli/server/pages/pages.hpp"
#include "client_connection.hpp"
#include "event_loop.hpp"
#include "gate.hpp"
#include "metrics.hpp"
#include "rate_limit.hpp"
#include "request_log.hpp"
#include "stream_hub.hpp"
#include "work_queue.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace snl::cli {

struct ServerSettings {
  std::string store;  // its location
  HostAndPort listen{.host = "127.0.0.1", .port = 8080};
  unsigned threads = 1;  // event loops, and as many for reading
  GateSettings gate;
  LogFormat log_format = LogFormat::text;
  int log_descriptor = 2;
  ClientTimeouts timeouts;
  std::string log_key;     // the file of the key that signs the store's log; empty: none signs it
  std::string log_policy;  // the text of a policy; empty: none
  std::chrono::seconds between_checkpoints{10};
};

class LogMaker;
class PublishedLog;

class Server final : public RequestHandler {
 public:
  /// Opens the store, or makes it, finishes starts that a crash left half done, and listens. Throws
  /// StoreError; std::runtime_error if it can't listen there; and as LogMaker does, if the log's
  /// key can't sign it.
  explicit Server(ServerSettings settings);
  ~Server() override;

  /// Where it listens. If the settings ask for port 0, with the free port that was found.
  std::string address() const;
  /// If it listens at all of this machine's addresses: those by which others may reach it.
  std::vector<std::string> addresses_for_others() const;
  /// Whether nobody but this machine can reach it.
  bool is_local() const;

  /// Begins to answer, in threads of its own.
  void start();

  /// Takes no more connections, finishes requests that are under way, lets streams say farewell.
  /// It takes as long as the slowest client.
  void stop();

  // ---- RequestHandler
  void handle(const std::shared_ptr<ClientConnection>& connection,
              ReceivedRequest request) override;
  HttpResponse response_to_fault(const RequestFault& fault) override;
  void responded(const ClientConnection& connection, const HttpRequest& request, unsigned status,
                 std::size_t bytes, std::chrono::steady_clock::duration took) override;
  void happened(const ClientConnection& connection, Event event) override;
  void closed(ClientConnection& connection) override;

 private:
  /// A request that waits for a thread.
  struct Job {
    std::shared_ptr<ClientConnection> connection;
    HttpRequest request;
    Gate::Share share = Gate::Share::pages;  // that its work is charged to
  };
  struct ToRead;  // an open store, for one thread
  struct Stores;  // all of them

  std::unique_ptr<PublishedLog> publish_log();
  std::unique_ptr<LogMaker> sign_log();
  void listen();
  void accept_next();
  void accept(ClientConnection::Socket socket, EventLoop& loop);
  void wait_before_accepting();
  WorkQueue<Job>& queue_of(const HttpRequest& request);
  std::optional<HttpResponse> respond_here(const HttpRequest& request) const;
  void send(const std::shared_ptr<ClientConnection>& connection, const HttpRequest& request,
            HttpResponse response);
  void open_stream(const std::shared_ptr<ClientConnection>& connection,
                   const HttpResponse& response);
  void post_responses(std::vector<Job> jobs, std::vector<HttpResponse> responses);
  void read(WorkQueue<Job>& queue, std::size_t at_once, ToRead& reader);
  bool defer(Job& job);
  HttpResponse export_response(const HttpRequest& request, ToRead& reader);
  void say_whether_ready();
  void write();
  std::vector<HttpResponse> write_batch(std::vector<Job>& jobs);
  bool can_write() const;
  void play_on();
  void maintain();

  ServerSettings settings_;
  Pages::Settings page_settings_;
  Metrics metrics_;
  RequestLog log_;
  Gate gate_;
  CountLimit connections_;  // of an address
  CountLimit turned_away_;  // of an address: told that there are too many
  CountLimit streams_;
  std::unique_ptr<PublishedLog> published_log_;
  std::unique_ptr<LogMaker> log_maker_;  // none without a key
  /// When the store last refused a write; the clock's beginning if it took one since.
  std::atomic<std::chrono::steady_clock::time_point> refused_ = {};
  std::unique_ptr<Stores> stores_;
  std::vector<std::unique_ptr<EventLoop>> loops_;
  StreamHub hub_;
  static constexpr std::size_t most_waiting = 4096;
  WorkQueue<Job> reads_{most_waiting};
  WorkQueue<Job> lists_{most_waiting};
  WorkQueue<Job> pages_{most_waiting};     // of games
  WorkQueue<Job> deferred_{most_waiting};  // of the three above, for those who had their share
  WorkQueue<Job> exports_{most_waiting};
  WorkQueue<Job> probes_{most_waiting};  // /readyz
  WorkQueue<Job> writes_{most_waiting};
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer accept_timer_;
  std::size_t next_loop_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace snl::cli
