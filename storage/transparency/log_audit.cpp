#include "log_audit.hpp"

#include "storage/store_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace snl::transparency {
namespace {

/// Walks over all commits once.
class Walk {
 public:
  explicit Walk(LogReader& store) : store_(store), size_(store.count_commits()) {}

  /// Asks for the root of this size.
  void want(TreeSize size) {
    is_wanted_ = true;
    if (size <= size_) roots_.emplace(size, Hash{});
  }
  bool is_wanted() const { return is_wanted_; }

  void run() {
    TreeBuilder tree;
    auto next = roots_.begin();
    const auto note_roots = [&] {
      for (; next != roots_.end() && next->first == tree.size(); ++next)
        next->second = tree.root();
    };
    note_roots();
    while (tree.size() < size_) {
      const auto count =
          static_cast<std::size_t>(std::min<TreeSize>(tile_width, size_ - tree.size()));
      const auto leaves = store_.nodes(0, tree.size(), count);
      for (const Hash& leaf : leaves) {
        tree.add(leaf);
        note_roots();
      }
      if (count == tile_width) tiles_.push_back(root_of_nodes(leaves));
    }
  }

  TreeSize size() const { return size_; }
  bool holds(const Checkpoint& checkpoint) const {
    const auto root = roots_.find(checkpoint.size);
    return root != roots_.end() && root->second == checkpoint.root;
  }

  /// The first stored node that the commits don't make: its level and its number.
  std::optional<std::pair<int, std::uint64_t>> wrong_node() {
    for (int level = 1; level <= most_levels; ++level, rise()) {
      const std::uint64_t kept = store_.count_nodes(level);
      const std::uint64_t possible = tiles_.size();
      for (std::uint64_t first = 0; first < std::min(kept, possible); first += tile_width) {
        const auto count = std::min<std::uint64_t>(tile_width, std::min(kept, possible) - first);
        const auto nodes = kept_nodes(level, first, static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < count; ++i)
          if (i >= nodes.size() || nodes[i] != tiles_[first + i])
            return std::pair(level, first + i);
      }
      if (kept > possible) return std::pair(level, possible);
    }
    return std::nullopt;
  }

  /// Whether any node is stored: without a checkpoint none should be.
  bool has_nodes() {
    for (int level = 1; level <= most_levels; ++level)
      if (store_.count_nodes(level) > 0) return true;
    return false;
  }

 private:
  /// None if one of them is missing.
  std::vector<Hash> kept_nodes(int level, std::uint64_t first, std::size_t count) {
    try {
      return store_.nodes(level, first, count);
    } catch (const StoreError& error) {
      if (!error.is_damage()) throw;
      return {};
    }
  }

  /// Goes up to the nodes of the next level.
  void rise() {
    std::vector<Hash> above;
    for (auto tile = tiles_.begin(); tiles_.end() - tile >= std::ptrdiff_t{tile_width};
         tile += tile_width)
      above.push_back(root_of_nodes({tile, tile + tile_width}));
    tiles_ = std::move(above);
  }

  LogReader& store_;
  TreeSize size_;
  bool is_wanted_ = false;
  std::map<TreeSize, Hash> roots_;
  std::vector<Hash> tiles_;
};

class Audit {
 public:
  Audit(LogReader& store, const LogExpectations& expected, std::vector<Problem>& problems)
      : expected_(expected), problems_(problems), logs_(store.logs()), walk_(store) {}

  std::optional<LogAudit> run() {
    for (const SignedCheckpoint* one : all_checkpoints())
      walk_.want(one->checkpoint.size);
    if (!walk_.is_wanted() && !walk_.has_nodes()) return without_checkpoint();
    walk_.run();
    for (const SignedCheckpoint* one : all_checkpoints())
      require_held(one->checkpoint);
    if (!logs_.empty())
      for (const auto* one : stored_of(logs_.back()))
        require_signature(*one, logs_.back().vkey);
    for (const SignedCheckpoint& one : expected_.kept)
      require_signature(one, vkey_of(one.checkpoint.origin));
    if (const auto wrong = walk_.wrong_node())
      problems_.push_back(
          {std::nullopt, std::nullopt, "tree",
           fmt::format("node {} of level {} isn't what the commits make; snl checkpoint "
                       "--log-key makes it anew",
                       wrong->second, wrong->first)});
    if (const SignedCheckpoint* newest = newest_checkpoint()) return report_on(*newest);
    return without_checkpoint();
  }

 private:
  std::optional<LogAudit> without_checkpoint() {
    if (expected_.policy) add_problem("nothing was signed, so the policy isn't met");
    return std::nullopt;
  }

  static std::vector<const SignedCheckpoint*> stored_of(const StoredLog& log) {
    std::vector<const SignedCheckpoint*> stored;
    for (const auto* one : {&log.last_signed, &log.published})
      if (*one) stored.push_back(&**one);
    return stored;
  }

  /// The checkpoints of all logs, including those that have ended, and the ones kept elsewhere.
  std::vector<const SignedCheckpoint*> all_checkpoints() const {
    std::vector<const SignedCheckpoint*> all;
    for (const StoredLog& log : logs_)
      std::ranges::copy(stored_of(log), std::back_inserter(all));
    for (const SignedCheckpoint& one : expected_.kept)
      all.push_back(&one);
    return all;
  }

  /// The store's own: the published one if the policy asks for witnesses, else the last signed one.
  /// If the store has none, the largest that was kept.
  const SignedCheckpoint* newest_checkpoint() const {
    if (!logs_.empty()) {
      const StoredLog& log = logs_.back();
      if (expected_.policy && expected_.policy->needs_witnesses() && log.published)
        return &*log.published;
      if (log.last_signed) return &*log.last_signed;
    }
    const auto largest = std::ranges::max_element(
        expected_.kept, {}, [](const auto& one) { return one.checkpoint.size; });
    return largest != expected_.kept.end() ? &*largest : nullptr;
  }

  /// The key that the store has under this name; empty if it has none.
  std::string vkey_of(const std::string& origin) const {
    const auto log = std::ranges::find(logs_, origin, &StoredLog::origin);
    return log == logs_.end() ? std::string() : log->vkey;
  }

  void require_held(const Checkpoint& checkpoint) {
    if (walk_.size() < checkpoint.size)
      add_problem(fmt::format("the store holds {} commits, and {} were signed", walk_.size(),
                              checkpoint.size));
    else if (!walk_.holds(checkpoint))
      add_problem(fmt::format("the first {} commits have another root than the one that was signed",
                              checkpoint.size));
  }

  /// Checks the signature by the policy's key or, without a policy, at least by the store's own
  /// key.
  void require_signature(const SignedCheckpoint& one, const std::string& vkey) {
    const auto own = VerifierKey::parse(vkey);
    const bool is_own = vkey.empty() || (own && own->name == one.checkpoint.origin &&
                                         signed_by(one.note, *own) == Signed::yes);
    const bool is_trusted = !expected_.policy || expected_.policy->signature_of(one) == Signed::yes;
    if (!is_own || !is_trusted)
      add_problem(
          fmt::format("the signature of {} is not that of the checkpoint", one.checkpoint.origin));
  }

  LogAudit report_on(const SignedCheckpoint& newest) {
    const Checkpoint& checkpoint = newest.checkpoint;
    LogAudit audit{.origin = checkpoint.origin,
                   .size = checkpoint.size,
                   .root = checkpoint.root,
                   .later = walk_.size() - std::min(walk_.size(), checkpoint.size),
                   .held = walk_.holds(checkpoint),
                   .signature = {},
                   .quorum = {},
                   .witnesses = {}};
    if (!expected_.policy) return audit;
    audit.signature = expected_.policy->signature_of(newest) == Signed::yes;
    const auto quorum = expected_.policy->quorum_of(newest.note, expected_.now);
    audit.quorum = quorum.reached;
    audit.witnesses = quorum.cosigners;
    if (!quorum.reached)
      add_problem(fmt::format("the quorum is not reached: {}", cosigners_of(quorum)));
    return audit;
  }

  /// Adds a problem only once: the last signed checkpoint is usually the published one.
  void add_problem(std::string what) {
    Problem problem{std::nullopt, std::nullopt, "log", std::move(what)};
    if (std::ranges::find(problems_, problem) == problems_.end())
      problems_.push_back(std::move(problem));
  }

  const LogExpectations& expected_;
  std::vector<Problem>& problems_;
  std::vector<StoredLog> logs_;
  Walk walk_;
};

}  // namespace

std::optional<LogAudit> audit_log(LogReader& store, const LogExpectations& expected,
                                  std::vector<Problem>& problems) {
  try {
    return Audit(store, expected, problems).run();
  } catch (const StoreError& error) {
    if (!error.is_damage()) throw;
    problems.push_back({std::nullopt, std::nullopt, "log", error.what()});
    return std::nullopt;
  }
}

std::string cosigners_of(const Policy::Quorum& quorum) {
  const auto names_of = [](const std::vector<Cosigner>& cosigners) {
    std::string names;
    for (const Cosigner& cosigner : cosigners)
      names += (names.empty() ? "" : ", ") + cosigner.name;
    return names;
  };
  std::string text =
      "cosigned by " + (quorum.cosigners.empty() ? "nobody" : names_of(quorum.cosigners));
  if (!quorum.ahead.empty())
    text += " (check the clock: it is behind that of " + names_of(quorum.ahead) + ")";
  return text;
}

}  // namespace snl::transparency
