// --expect-version and --command-id.
#pragma once

#include "storage/match.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace snl::cli {

struct RequestOptions {
  std::optional<Version> expected_version;
  std::optional<std::string> command_id;

  void add_to(CLI::App& command);
  Request request() const { return {expected_version, command_id}; }
};

}  // namespace snl::cli
