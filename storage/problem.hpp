// A problem that an audit finds.
#pragma once

#include "domain/game.hpp"

#include <optional>
#include <string>

namespace [[gnu::visibility("default")]] snl {

struct Problem {
  std::optional<std::string> game;
  std::optional<Version> version;
  std::string kind;    // one word, for programs
  std::string detail;  // one line, for people
  friend bool operator==(const Problem&, const Problem&) = default;
};

}  // namespace snl
