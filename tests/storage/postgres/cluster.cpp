#include "cluster.hpp"

#include "storage/postgres/postgres_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace snl::test {
namespace {

constexpr std::string_view programs = SNL_POSTGRESQL_PROGRAMS;

/// The user of the server: the user of the test, or nobody if that is root, because the server
/// refuses root.
struct Owner {
  uid_t user = geteuid();
  gid_t group = getegid();
  Owner() {
    if (user != 0) return;
    const passwd* const nobody = getpwnam("nobody");
    if (nobody == nullptr) throw std::runtime_error("there is no user nobody");
    user = nobody->pw_uid;
    group = nobody->pw_gid;
  }
};

/// A child that runs a program as the owner, and gets a signal when this process ends.
pid_t begin(const std::string& program, const std::vector<std::string>& arguments, int output) {
  const Owner owner;
  const std::string path = fmt::format("{}/{}", programs, program);
  std::vector<std::string> words{path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  if (geteuid() == 0 && (setgid(owner.group) != 0 || setuid(owner.user) != 0)) _exit(98);
  prctl(PR_SET_PDEATHSIG, SIGQUIT);  // after setuid, which clears it
  if (getppid() != parent) _exit(97);
  (void)chdir("/");
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execv(path.c_str(), pointers.data());
  _exit(99);
}

int end_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string bytes_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string Cluster::run(const std::string& program,
                         const std::vector<std::string>& arguments) const {
  const std::string path = folder_.file("output");
  const int output = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  const pid_t child = begin(program, arguments, output);
  (void)close(output);
  const int status = end_of(child);
  std::string printed = bytes_in(path);
  if (status != 0)
    throw std::runtime_error(fmt::format("{} failed ({}): {}", program, status, printed));
  return printed;
}

void Cluster::give_folder() const {
  const Owner owner;
  if (chown(folder_.path().c_str(), owner.user, owner.group) != 0)
    throw std::runtime_error("a server's folder can't be given to it");
}

Cluster::Cluster(const std::vector<std::string>& settings, const std::string& place)
    : Cluster(Unmade{}, place) {
  give_folder();
  run("initdb", {"-D", data(), "-A", "trust", "-U", "snl", "--no-locale", "-E", "UTF8", "-N"});
  std::ofstream lines(data() + "/postgresql.conf", std::ios::app);
  // Every open transaction with an ID makes subscribers wait, so autovacuum is off.
  lines << "listen_addresses = ''\nunix_socket_directories = '" << folder()
        << "'\nautovacuum = off\nshared_buffers = 16MB\nmax_connections = 100\n"
           "max_prepared_transactions = 5\nwal_level = replica\n";
  for (const std::string& setting : settings)
    lines << setting << '\n';
  lines.close();
  start();
}

std::unique_ptr<Cluster> Cluster::standby_of(const Cluster& primary) {
  std::unique_ptr<Cluster> standby(new Cluster(Unmade{}, place_for_folders()));
  standby->give_folder();
  standby->copy(primary);
  standby->start();
  return standby;
}

void Cluster::become_standby_of(const Cluster& primary) {
  if (process_ != 0) kill_all();
  std::filesystem::remove_all(data());
  copy(primary);
  start();
}

void Cluster::copy(const Cluster& primary) const {
  run("pg_basebackup", {"-D", data(), "-R", "-X", "stream", "-c", "fast", "-d",
                        primary.location("postgres") + " application_name=standby"});
  std::ofstream lines(data() + "/postgresql.conf", std::ios::app);
  lines << "unix_socket_directories = '" << folder() << "'\n";
}

Cluster::~Cluster() {
  if (process_ == 0) return;
  kill(process_, SIGQUIT);
  (void)end_of(process_);
}

Cluster& Cluster::shared() {
  static Cluster cluster;
  return cluster;
}

std::string Cluster::location(std::string_view database) const {
  return fmt::format("host={} user=snl connect_timeout=600 dbname={}", socket_folder(), database);
}

std::string Cluster::empty_database() {
  const std::string name = fmt::format("d{}", ++databases_);
  PlainSession(location("postgres")).execute("CREATE DATABASE " + name);
  return location(name);
}

std::string Cluster::store_database() {
  if (template_.empty()) {
    const PostgresStore made(empty_database(), PostgresStore::Use::write);
    template_ = fmt::format("d{}", databases_);
  }
  const std::string name = fmt::format("d{}", ++databases_);
  PlainSession(location("postgres"))
      .execute(fmt::format("CREATE DATABASE {} TEMPLATE {}", name, template_));
  return location(name);
}

void Cluster::start() {
  const std::string log = folder_.file("log");
  const int output = open(log.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
  process_ = begin("postgres", {"-D", data()}, output);
  (void)close(output);
  wait_until_ready();
}

void Cluster::wait_until_ready() const {
  constexpr int most_tries = 60'000;
  for (int tries = 0; tries < most_tries; ++tries) {
    const auto state = PQping(location("postgres").c_str());
    if (state == PQPING_OK) return;
    if (waitpid(process_, nullptr, WNOHANG) == process_) break;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  throw std::runtime_error("the server doesn't start: " + bytes_in(folder_.file("log")));
}

void Cluster::crash() {
  kill(process_, SIGQUIT);
  (void)end_of(std::exchange(process_, 0));
}

void Cluster::stop() {
  kill(process_, SIGINT);
  (void)end_of(std::exchange(process_, 0));
}

namespace {

/// The state of a process and its parent, as /proc has them; X if it is gone.
struct Process {
  char state = 'X';
  pid_t parent = 0;
};

Process process_of(const std::string& number) {
  std::string line;
  std::ifstream file("/proc/" + number + "/stat");
  Process process;
  if (!std::getline(file, line)) return process;
  std::istringstream rest(line.substr(std::min(line.rfind(')') + 1, line.size())));
  rest >> process.state >> process.parent;
  return process;
}

bool is_gone(pid_t process) {
  const char state = process_of(std::to_string(process)).state;
  return state == 'X' || state == 'Z';
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string number = entry.path().filename().string();
    if (number.find_first_not_of("0123456789") == std::string::npos &&
        process_of(number).parent == parent)
      children.push_back(std::stoi(number));
  }
  return children;
}

}  // namespace

void Cluster::kill_all() {
  kill(process_, SIGSTOP);  // it starts no other process
  const auto children = children_of(process_);
  for (const pid_t child : children)
    kill(child, SIGKILL);
  kill(process_, SIGKILL);
  (void)end_of(std::exchange(process_, 0));
  for (const pid_t child : children)  // no new server starts while one of them is left
    while (!is_gone(child))
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

void Cluster::kill_a_session() {
  PlainSession watch(location("postgres"));
  const auto sessions = watch.rows(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'snl' ORDER BY random() LIMIT 1");
  if (sessions.empty()) return;
  kill(std::stoi(sessions.at(0).at(0)), SIGKILL);
  try {
    while (watch.try_to("SELECT 1").empty())
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
  } catch (const std::runtime_error&) {
    // This session is over, too.
  }
  wait_until_ready();
}

void Cluster::promote() {
  PlainSession(location("postgres")).execute("SELECT pg_promote(true, 600)");
}

void Cluster::wait_for_nobody(bool wait) {
  set(fmt::format("synchronous_standby_names = '{}'", wait ? "nobody" : ""));
  while (a_commit_waits() != wait) {
  }
}

void Cluster::set(const std::string& setting) {
  {
    std::ofstream file(data() + "/postgresql.conf", std::ios::app);
    file << setting << '\n';
  }
  PlainSession(location("postgres")).execute("SELECT pg_reload_conf()");
}

bool Cluster::a_commit_waits() {
  PlainSession session(location("postgres"));
  PlainSession watch(location("postgres"));
  const std::string process = session.value("SELECT pg_backend_pid()");
  session.send("SELECT pg_logical_emit_message(true, 'probe', '')");
  while (true) {
    const auto row = watch
                         .rows(
                             "SELECT state, coalesce(wait_event, ''), query LIKE '%probe%' "
                             "FROM pg_stat_activity WHERE pid = " +
                             process)
                         .at(0);
    const bool waits = row[1] == "SyncRep";
    if (waits) watch.execute("SELECT pg_cancel_backend(" + process + ")");
    const bool has_begun = row[2] == "t";
    if (!waits && (!has_begun || row[0] == "active")) continue;
    session.finish();
    return waits;
  }
}

// ---- A connection

PlainSession::PlainSession(const std::string& location)
    : handle_(PQconnectdb((location + " client_encoding=UTF8").c_str())) {
  if (PQstatus(handle_) == CONNECTION_OK) {
    PQsetNoticeProcessor(handle_, [](void*, const char*) {}, nullptr);
    return;
  }
  const std::string message = PQerrorMessage(handle_);
  PQfinish(handle_);
  throw std::runtime_error(location + ": " + message);
}

PlainSession::~PlainSession() {
  PQfinish(handle_);
}

void PlainSession::send(const std::string& sql) {
  if (PQsendQuery(handle_, sql.c_str()) != 1) throw std::runtime_error(PQerrorMessage(handle_));
}

std::string PlainSession::finish() {
  std::string state;
  while (PGresult* result = PQgetResult(handle_)) {
    const char* const field = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    if (field != nullptr) state = field;
    PQclear(result);
  }
  return state;
}

bool PlainSession::was_notified() {
  execute("SELECT 1");  // reads the received data
  bool is_notified = false;
  while (PGnotify* const notice = PQnotifies(handle_)) {
    PQfreemem(notice);
    is_notified = true;
  }
  return is_notified;
}

std::string PlainSession::try_to(const std::string& sql) {
  send(sql);
  return finish();
}

void PlainSession::execute(const std::string& sql) {
  if (const std::string state = try_to(sql); !state.empty())
    throw std::runtime_error(sql + ": " + state + " " + PQerrorMessage(handle_));
}

std::vector<PlainSession::Row> PlainSession::rows(const std::string& sql) {
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(handle_, sql.c_str()),
                                                             &PQclear);
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK)
    throw std::runtime_error(sql + ": " + PQerrorMessage(handle_));
  std::vector<Row> rows;
  for (int i = 0; i < PQntuples(result.get()); ++i) {
    Row row;
    for (int column = 0; column < PQnfields(result.get()); ++column)
      row.emplace_back(
          PQgetisnull(result.get(), i, column) != 0 ? "NULL" : PQgetvalue(result.get(), i, column));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> keywords_of_libpq() {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> all(PQconndefaults(),
                                                                         &PQconninfoFree);
  std::vector<std::string> keywords;
  for (const PQconninfoOption* option = all.get(); option->keyword != nullptr; ++option)
    keywords.emplace_back(option->keyword);
  return keywords;
}

std::string append_in_sql(const std::string& game, const std::string& text, const std::string& hash,
                          std::int64_t attempt) {
  return fmt::format(
      "INSERT INTO snl.appending SELECT g.game, c.version + 1, c.hash, "
      "(txid_current() + (SELECT shift FROM snl.clock)) << 20, {}, {}, {}, '{{\"{}\"}}', "
      "'[\"{}\"]' FROM snl.games g JOIN snl.commits c ON c.game = g.game WHERE g.id = '{}' "
      "ORDER BY c.version DESC LIMIT 1",
      new_year, attempt, hash, text, text, game);
}

}  // namespace snl::test
