// Whole commands: one argument a line, an empty line, then stdin.
//
// They run in this process, in a folder of their own, on a store that is restored before each.
// Commands that may rightly take long are left out: numbers that demand much work, and following a
// log. Arguments have no slash, so paths stay in the folder.
#include "../storage/testbed.hpp"
#include "cli/commands/application.hpp"
#include "cli/drawing/terminal_text.hpp"
#include "target.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace snl::test {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;
using Stream =
    std::unique_ptr<std::FILE, decltype([](std::FILE* file) { (void)std::fclose(file); })>;

/// The output of a command to a stream.
class Written {
 public:
  Written() : stream_(open_memstream(&bytes_, &size_)) {}
  ~Written() {
    stream_.reset();
    std::free(bytes_);  // NOLINT(cppcoreguidelines-no-malloc): it is open_memstream's
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  Written(Written&&) = delete;
  Written& operator=(Written&&) = delete;

  std::FILE* stream() { return stream_.get(); }
  std::string_view text() {
    (void)std::fflush(stream_.get());
    return {bytes_, size_};
  }

 private:
  char* bytes_ = nullptr;
  std::size_t size_ = 0;
  Stream stream_;
};

/// A command may handle any signal until its process ends. Here the process is libFuzzer's, whose
/// timer uses a signal.
class KeptSignals {
 public:
  KeptSignals() {
    for (int signal = 1; signal < NSIG; ++signal)
      (void)sigaction(signal, nullptr, &at(signal));
  }
  ~KeptSignals() {
    for (int signal = 1; signal < NSIG; ++signal)
      (void)sigaction(signal, &at(signal), nullptr);
  }
  KeptSignals(const KeptSignals&) = delete;
  KeptSignals& operator=(const KeptSignals&) = delete;
  KeptSignals(KeptSignals&&) = delete;
  KeptSignals& operator=(KeptSignals&&) = delete;

 private:
  struct sigaction& at(int signal) { return before_.at(static_cast<std::size_t>(signal)); }
  std::array<struct sigaction, NSIG> before_{};
};

struct Ended {
  int code;
  std::string output;
  std::string errors;
};

Ended run(const Words& words, std::string_view input) {
  std::vector<const char*> arguments{"snl"};
  for (const std::string& word : words)
    arguments.push_back(word.c_str());
  std::string bytes(input);
  const Stream in(bytes.empty() ? std::fopen("/dev/null", "rbe")
                                : fmemopen(bytes.data(), bytes.size(), "rb"));
  Written out;
  Written errors;
  std::FILE* const streams[] = {stdin, stdout, stderr};
  stdin = in.get();
  stdout = out.stream();
  stderr = errors.stream();
  const KeptSignals kept;
  const int code = cli::run(static_cast<int>(arguments.size()), arguments.data());
  stdin = streams[0];
  stdout = streams[1];
  stderr = streams[2];
  return {code, std::string(out.text()), std::string(errors.text())};
}

/// The folder that commands run in, with a store in it.
class Place {
 public:
  Place() {
    fs::current_path(folder_.path());
    setenv("SNL_DB", store, 1);      // NOLINT(concurrency-mt-unsafe): before any thread
    setenv("HOME", ".", 1);          // NOLINT(concurrency-mt-unsafe)
    setenv("LC_ALL", "C.UTF-8", 1);  // NOLINT(concurrency-mt-unsafe)
    const Words start{"new", "Ann", "Bob", "--board", "class", "--seed", "13", "--id", "final"};
    require(run(start, "").code == 0, "a game can be started");
    require(run({"play", "final", "-"}, "Ann 2\nBob 4\nAnn 6-3\n").code == 0, "and played");
    require(run({"undo", "final"}, "").code == 0, "and undone");
    require(run({"export", "final", "-o", "game.jsonl"}, "").code == 0, "and exported");
    for (const auto& entry : fs::directory_iterator("."))
      files_.emplace_back(entry.path().string(), bytes_of(entry.path().string()));
  }
  ~Place() { fs::current_path("/"); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  Place(Place&&) = delete;
  Place& operator=(Place&&) = delete;

  void put_back() const {
    for (const auto& entry : fs::directory_iterator("."))
      fs::remove_all(entry.path());
    for (const auto& [name, bytes] : files_)
      write_file(name, bytes);
  }

 private:
  static constexpr const char* store = "snl.db";
  Folder folder_;
  std::vector<std::pair<std::string, std::string>> files_;
};

/// True if a number in the text has from `fewest` to 14 digits. Longer ones are refused, or are a
/// seed.
bool asks_for_much(std::string_view text, std::size_t fewest) {
  std::size_t digits = 0;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && digits >= fewest && digits < 15) return true;
    digits = is_digit ? digits + 1 : 0;
  }
  return digits >= fewest && digits < 15;
}

bool takes_long(const Words& words, std::string_view text) {
  std::size_t fewest = 4;
  for (const std::string& word : words) {
    if (word.starts_with("--follow") ||
        (word.starts_with('-') && !word.starts_with("--") && word.find('f') != std::string::npos))
      return true;
    if (word == "roll" || word == "simulate") fewest = 3;
    if (word == "tournament") fewest = 2;
  }
  const bool repeats = fewest < 4;  // even the longest numbers are accepted
  return asks_for_much(text, fewest) ||
         (repeats && std::ranges::any_of(words, [](const std::string& word) {
            return std::ranges::count_if(word, [](char c) { return c >= '0' && c <= '9'; }) > 14;
          }));
}

void check(std::string_view text) {
  static const Place place;
  const std::string_view whole = text;
  Words words;
  while (!text.empty()) {
    const std::string_view word = take_line(text);
    if (word.empty()) break;
    if (word.find('/') != std::string_view::npos || word.find('\0') != std::string_view::npos)
      return;
    words.emplace_back(word);
  }
  if (takes_long(words, whole)) return;
  place.put_back();
  const Ended ended = run(words, text);
  require(ended.code >= 0 && ended.code <= 6, "a command ends with a code of the contract");
  std::string_view errors = ended.errors;
  while (!errors.empty()) {
    const std::string_view line = take_line(errors);
    require(line.starts_with("snl: "), "a line on stderr says who speaks");
    require(cli::printable(line) == line, "nothing on stderr can steer a terminal");
  }
  // Some commands report a fault of a board or a store on stdout, as their result.
  const bool is_told = ended.code == 0 || !ended.output.empty() || !ended.errors.empty();
  require(is_told, "a failure is told");
}

}  // namespace
}  // namespace snl::test

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snl::test::check(snl::test::text_of(data, size));
  return 0;
}
