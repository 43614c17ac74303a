// The unit that a store keeps: a commit, one command with the events that it caused.
#pragma once

#include "domain/game.hpp"
#include "hash.hpp"
#include "time.hpp"

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] snl {

/// A commit's place among all commits of its store. Positions begin at 1 or more, and grow in the
/// order in which commits become visible. There may be gaps between them.
using StorePosition = std::int64_t;

/// The last commit of a game: its version and its hash, which covers all commits before it. A game
/// without commits has version 0 and HashChain::origin.
struct Head {
  Version version = 0;
  Hash hash = HashChain::origin;
  friend bool operator==(const Head&, const Head&) = default;
};

/// A commit to append: a command and its events as canonical JSON (codec.hpp).
struct NewCommit {
  UnixMilliseconds time = 0;
  std::string command;
  std::string events;
  std::optional<std::string> command_id;  // the one in `command`, if it has one
};

/// A recorded commit that borrows its texts.
struct CommitView {
  StorePosition position = 0;
  std::string_view game;
  Version version = 0;
  UnixMilliseconds time = 0;
  std::string_view command;
  std::string_view events;
  std::optional<std::string_view> command_id;
  Hash hash{};
};

/// A recorded commit that owns its texts.
struct Commit {
  StorePosition position = 0;
  std::string game;
  Version version = 0;
  UnixMilliseconds time = 0;
  std::string command;
  std::string events;
  std::optional<std::string> command_id;
  Hash hash{};

  Commit() = default;
  explicit Commit(const CommitView& view);
  CommitView view() const;
  friend bool operator==(const Commit&, const Commit&) = default;
};

/// Commits that were read at once, with all their texts in one arena. No read is under way while
/// you go through a page.
class CommitPage {
 public:
  /// Commits are valid until the page is cleared, or filled anew.
  auto begin() const { return commits_.begin(); }
  auto end() const { return commits_.end(); }
  std::size_t size() const { return commits_.size(); }
  bool empty() const { return commits_.empty(); }

  /// Whether the reading ended because there were no more commits.
  bool is_last() const { return is_last_; }

  // ---- For stores, which fill it

  void clear();
  /// Adds a copy of a commit.
  void add(const CommitView& commit);
  /// Whether its texts are so long that no more should be added.
  bool is_full() const { return bytes_ >= most_bytes; }
  void mark_as_last() { is_last_ = true; }

 private:
  /// A few hundred commits: small enough to be still in the processor's cache when they are
  /// visited.
  static constexpr std::size_t most_bytes = std::size_t{128} << 10U;

  std::string_view kept(std::string_view text);

  std::pmr::monotonic_buffer_resource arena_;
  std::vector<CommitView> commits_;
  std::size_t bytes_ = 0;
  bool is_last_ = false;
};

/// The version or position after this one, or the same if there is none: a hostile store may use
/// the last number.
std::int64_t next_number(std::int64_t number);

}  // namespace snl
