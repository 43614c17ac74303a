// A program that shows text a page at a time, such as less.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace snl::cli {

/// The rows that printable text takes on a terminal of so many columns, with or without colours.
std::size_t rows_of(std::string_view text, int columns);

/// A running pager. Until it ends, SIGPIPE is ignored, and a signal that ends this process first
/// waits until the user has closed the pager: two programs can't share a terminal.
class Pager {
 public:
  /// Runs `command`, written as for a shell. Throws std::system_error if it can't be started.
  explicit Pager(const std::string& command);
  ~Pager() { wait(); }
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  /// A pager that the user has closed gets no more text. That is no error: the command does its
  /// work and ends as it would have otherwise.
  void write(std::string_view text);
  void flush();
  /// Returns once the user has closed it.
  void wait();

 private:
  std::FILE* pipe_ = nullptr;  // null once nobody reads any more
  bool running_ = true;
};

}  // namespace snl::cli
