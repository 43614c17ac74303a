// A program that shows text a page at a time, such as less.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace snl::cli {

/// The rows that printable text, with or without colours, takes on a terminal so wide.
std::size_t rows_of(std::string_view text, int columns);

/// A pager that runs. While it does, SIGPIPE is ignored, and a signal that ends this process first
/// waits until the person has closed the pager: two programs can't share a terminal.
class Pager {
 public:
  /// `command` is as a shell has it. Throws std::system_error if it can't be started.
  explicit Pager(const std::string& command);
  ~Pager() { wait(); }
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  /// What is written after the person has closed the pager is seen by nobody, and that is no error:
  /// a command does what it was asked, and ends as it would have.
  void write(std::string_view text);
  void flush();
  /// Returns once the person has closed it.
  void wait();

 private:
  std::FILE* pipe_ = nullptr;  // null once nobody reads
  bool running_ = true;
};

}  // namespace snl::cli
