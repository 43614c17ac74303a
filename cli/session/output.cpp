#include "output.hpp"

#include "cli/drawing/terminal_text.hpp"
#include "cli/terminal/pager.hpp"
#include "cli/terminal/terminal_size.hpp"
#include "domain/wording.hpp"
#include "failure.hpp"
#include "next_step.hpp"
#include "storage/codec.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace snl::cli {
namespace {

namespace json = boost::json;

bool is_terminal(std::FILE* stream) {
  return isatty(fileno(stream)) == 1;
}

/// Makes a sentence about what the command has done for good. It is empty if the command has done
/// nothing.
std::function<std::string()> done;

std::string sentence_of(std::string_view what, std::string_view command) {
  return fmt::format("{} all the same; see {} before you repeat it", what, command);
}

/// The failure that errno names.
Failure stdout_failure() {
  return {Exit::failed, fmt::format("stdout can't be written: {}", reason_and_next_step(errno))};
}

/// A message without its last part, if that says to try again.
std::string_view without_retry(std::string_view message) {
  return message.ends_with("try again") ? message.substr(0, message.rfind("; ")) : message;
}

void write_to_stdout(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw stdout_failure();
}

/// The pager if neither variable is set.
constexpr std::string_view usual_pager = "less -FRX";

/// None if no pager is wanted.
std::optional<std::string> wanted_pager() {
  for (const char* name : {"SNL_PAGER", "PAGER"})
    if (const char* value = std::getenv(name)) {
      const std::string_view command = value;
      const bool is_blank = command.find_first_not_of(" \t\n\v\f\r") == std::string_view::npos;
      if (is_blank || command == "cat") return {};
      return std::string(command);
    }
  return std::string(usual_pager);
}

/// Holds the output until it is longer than the terminal; then a pager gets it.
class PagedOutput {
 public:
  PagedOutput(Size terminal, std::string pager) : terminal_(terminal), command_(std::move(pager)) {}

  bool pager_runs() const { return pager_ != nullptr; }

  void print(std::string_view text) {
    if (pager_) return pager_->write(text);
    if (over_) return write_to_stdout(text);
    held_ += text;
    // Only whole lines count. The last row is for the prompt.
    const std::size_t begin = counted_;
    counted_ = std::max(counted_, held_.rfind('\n') + 1);
    rows_ += rows_of(std::string_view(held_).substr(begin, counted_ - begin), terminal_.columns);
    if (rows_ >= static_cast<std::size_t>(terminal_.rows)) start_pager();
  }

  void flush() {
    if (pager_) return pager_->flush();
    over_ = true;
    write_to_stdout(std::exchange(held_, {}));
  }

  void end() {
    if (pager_) return pager_->wait();
    flush();
  }

 private:
  void start_pager() {
    try {
      pager_ = std::make_unique<Pager>(command_);
    } catch (const std::system_error& error) {
      over_ = true;
      if (command_ != usual_pager)
        warn(fmt::format("the pager \"{}\" can't be run: {}; set SNL_PAGER, or give --no-pager",
                         command_, error.code().message()));
      return write_to_stdout(std::exchange(held_, {}));
    }
    pager_->write(std::exchange(held_, {}));
    pager_->flush();
  }

  Size terminal_;
  std::string command_;
  std::string held_;
  std::size_t counted_ = 0;  // bytes of held_ that rows_ counts
  std::size_t rows_ = 0;
  bool over_ = false;  // whether everything goes to the terminal
  std::unique_ptr<Pager> pager_;
};

/// There is one per process, as with stdout; none if nothing is paged.
std::unique_ptr<PagedOutput> paged_output;

/// A message without its middle, if a value makes it too long to read: a name of a megabyte, a list
/// of dice. The end stays, since it says what to do.
std::string brief(std::string_view message) {
  constexpr std::size_t longest = 4096;
  constexpr std::size_t head = 1024;
  constexpr std::size_t tail = 512;
  if (message.size() <= longest) return std::string(message);
  const auto within_a_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(message[at]) & 0xC0U) == 0x80U;
  };
  std::size_t cut = head;
  while (cut > 0 && within_a_character(cut))
    --cut;
  std::size_t go_on = message.size() - tail;
  while (go_on < message.size() && within_a_character(go_on))
    ++go_on;
  return fmt::format("{} … {}", message.substr(0, cut), message.substr(go_on));
}

/// Like json::serialize, but with numbers as people write them: 0.5, not 5E-1.
void append(std::string& text, const json::value& value) {
  auto separate = [&, first = true]() mutable {
    if (!first) text += ',';
    first = false;
  };
  if (const json::object* object = value.if_object()) {
    text += '{';
    for (const auto& [key, member] : *object) {
      separate();
      append_json_string(text, key);
      text += ':';
      append(text, member);
    }
    text += '}';
  } else if (const json::array* array = value.if_array()) {
    text += '[';
    for (const json::value& member : *array) {
      separate();
      append(text, member);
    }
    text += ']';
  } else if (const json::string* string = value.if_string()) {
    append_json_string(text, valid_utf8(*string));
  } else if (const double* number = value.if_double()) {
    text += std::isfinite(*number) ? fmt::format("{}", *number) : "null";
  } else {
    text += json::serialize(value);
  }
}

/// Nothing of a line is lost: a word that is wider than the window is broken too.
std::vector<std::string> broken(std::string_view line, int columns, int indent) {
  bool fits = true;
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    fits = fits && display_width(line.substr(begin, end - begin)) <= columns - indent;
    begin = end + 1;
  }
  return fits ? wrapped(line, columns, indent) : folded(line, columns, indent);
}

}  // namespace

void print(std::string_view text) {
  if (PagedOutput* paged = paged_output.get()) return paged->print(text);
  write_to_stdout(text);
}

void print_line(std::string_view text) {
  print(text);
  print("\n");
}

void print_broken(std::string_view lines, int indent) {
  const auto window = terminal_size(STDOUT_FILENO);
  if (!window || !is_terminal(stdout)) return print(lines);
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    for (const std::string& line : broken(lines.substr(0, end), window->columns, indent))
      print_line(line);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void print_names(std::string_view text) {
  if (!is_terminal(stdout)) return print(text);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const bool ends_as_csv = end > 0 && text[end - 1] == '\r';
    print(printable(text.substr(0, ends_as_csv ? end - 1 : end)));
    if (end < text.size()) print("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void print_json_line(std::string_view json) {
  if (is_terminal(stdout)) return print_line(printable_json(json));
  print_line(json);
}

void print_json(const json::object& object) {
  std::string line;
  append(line, object);
  print_json_line(line);
}

void flush() {
  if (PagedOutput* paged = paged_output.get()) paged->flush();
  if (std::fflush(stdout) != 0) throw stdout_failure();
}

void page_output() {
  if (!can_move_cursor(STDOUT_FILENO)) return;
  const auto size = terminal_size(STDOUT_FILENO);
  auto pager = wanted_pager();
  if (!size || size->rows <= 0 || !pager) return;
  paged_output = std::make_unique<PagedOutput>(*size, *std::move(pager));
}

void never_page() {
  if (!paged_output) return;
  paged_output->flush();
  paged_output.reset();
}

void end_output() {
  if (PagedOutput* paged = paged_output.get()) paged->end();
  paged_output.reset();
  if (std::fflush(stdout) != 0) throw stdout_failure();
}

void note_done(std::string_view what, std::string_view command) {
  done = [what = std::string(what), command = std::string(command)] {
    return sentence_of(what, command);
  };
}

/// A turn is noted each time, and told almost never.
void note_recorded(std::string_view game, std::int64_t version) {
  done = [game = std::string(game), version] {
    return sentence_of(fmt::format("version {} of game {} is recorded", version, game),
                       snl_command({"show", game}));
  };
}

void note_recorded_games(std::int64_t games) {
  if (games > 0)
    note_done(fmt::format("{} {} recorded", counted(games, "game"), games == 1 ? "is" : "are"),
              snl_command({"list"}));
}

void forget_done() {
  done = nullptr;
}

std::string with_what_was_done(const std::string& message) {
  return done ? fmt::format("{}; {}", without_retry(message), done()) : message;
}

void warn(std::string_view message) {
  const std::string line = fmt::format("snl: {}\n", printable(brief(message)));
  PagedOutput* paged = paged_output.get();
  if (paged != nullptr && paged->pager_runs() && is_terminal(stderr)) return paged->print(line);
  if (paged != nullptr) paged->flush();
  (void)std::fputs(line.c_str(), stderr);  // nobody is left to tell if this fails
}

}  // namespace snl::cli
