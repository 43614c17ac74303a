#include "policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace snl::transparency {
namespace {

/// A note may have 128 signatures: this leaves some for the log and for unknown keys.
constexpr std::size_t most_witnesses = 100;

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

bool is_allowed(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
}

}  // namespace

/// Takes a policy line by line. Each function returns the fault of its line; empty if it has none.
class Policy::Reader {
 public:
  std::string take(std::string_view line) {
    if (line.ends_with('\r')) return "it ends with CR LF; save it with LF alone";
    if (!std::ranges::all_of(line, is_allowed)) return "it has a control character";
    if (!is_utf8(line)) return "it isn't UTF-8; save it as UTF-8";
    const auto words = words_of(line);
    if (words.empty() || words.front().starts_with('#')) return {};
    if (line.contains(private_prefix))
      return "it holds a private key; a policy has the vkey that snl key show prints";
    if (words.front() == "log") return take_log(words);
    if (words.front() == "witness") return take_witness(words);
    if (words.front() == "group") return take_group(words);
    if (words.front() == "quorum") return take_quorum(words);
    return fmt::format("\"{}\" is none of log, witness, group, quorum", words.front());
  }

  std::expected<Policy, std::string> finish() {
    if (!has_quorum_)
      return std::unexpected("it has no quorum; \"quorum none\" asks for no witness");
    return std::move(policy_);
  }

 private:
  using Words = std::span<const std::string_view>;

  std::string take_log(Words words) {
    if (words.size() < 2 || words.size() > 3) return "a log is: log VKEY [URL]";
    const auto key = VerifierKey::parse(words[1]);
    if (!key || key->type != KeyType::log)
      return fmt::format("\"{}\" is no key of a log", words[1]);
    if (!log_keys_.insert(key->key).second) return "its key is another log's too";
    policy_.logs_.push_back({.name = key->name, .key = *key, .url = url_of(words, 2)});
    return {};
  }

  std::string take_witness(Words words) {
    if (words.size() < 3 || words.size() > 4) return "a witness is: witness NAME VKEY [URL]";
    const auto key = VerifierKey::parse(words[2]);
    if (!key) return fmt::format("\"{}\" is no key of a witness", words[2]);
    if (!witness_keys_.insert(key->key).second) return "its key is another witness's too";
    if (auto fault = name_fault(words[1]); !fault.empty()) return fault;
    if (policy_.witnesses_.size() == most_witnesses)
      return fmt::format("there are more than {} witnesses", most_witnesses);
    policy_.members_.push_back({.name = std::string(words[1]),
                                .witness = policy_.witnesses_.size(),
                                .members = {},
                                .threshold = 1});
    policy_.witnesses_.push_back(
        {.name = std::string(words[1]), .key = *key, .url = url_of(words, 3)});
    return {};
  }

  std::string take_group(Words words) {
    if (words.size() < 4) return "a group is: group NAME all|any|NUMBER MEMBER…";
    if (auto fault = name_fault(words[1]); !fault.empty()) return fault;
    Member group{.name = std::string(words[1]), .witness = 0, .members = {}, .threshold = 1};
    for (const std::string_view word : words.subspan(3)) {
      const auto member = find(word);
      if (!member) return fmt::format("\"{}\" isn't defined in an earlier line", word);
      if (!grouped_.insert(*member).second)
        return fmt::format("\"{}\" is a member already, of this group or another", word);
      group.members.push_back(*member);
    }
    if (words[2] == "all") {
      group.threshold = group.members.size();
    } else if (words[2] != "any") {
      const auto number = parse_number(words[2]);
      if (!number || *number < 1 || *number > group.members.size())
        return fmt::format("\"{}\" is none of all, any, 1 to {}", words[2], group.members.size());
      group.threshold = static_cast<std::size_t>(*number);
    }
    policy_.members_.push_back(std::move(group));
    return {};
  }

  std::string take_quorum(Words words) {
    if (words.size() != 2) return "a quorum is: quorum NAME|none";
    if (std::exchange(has_quorum_, true)) return "there is a quorum already";
    if (words[1] == "none") return {};
    policy_.quorum_ = find(words[1]);
    if (!policy_.quorum_) return fmt::format("\"{}\" isn't defined in an earlier line", words[1]);
    return {};
  }

  static std::string url_of(Words words, std::size_t at) {
    return words.size() > at ? std::string(words[at]) : std::string();
  }

  std::string name_fault(std::string_view name) const {
    if (name == "none") return "\"none\" can't be a name";
    if (find(name)) return fmt::format("\"{}\" is a name already", name);
    return {};
  }

  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = std::ranges::find(policy_.members_, name, &Member::name);
    if (found == policy_.members_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - policy_.members_.begin());
  }

  Policy policy_;
  std::set<PublicKey> log_keys_;
  std::set<PublicKey> witness_keys_;
  std::set<std::size_t> grouped_;
  bool has_quorum_ = false;
};

std::expected<Policy, std::string> Policy::parse(std::string_view text) {
  Reader reader;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const std::string fault = reader.take(text.substr(0, end)); !fault.empty())
      return std::unexpected(fmt::format("line {}: {}", number, fault));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

Signed Policy::signature_of(const SignedCheckpoint& checkpoint) const {
  // Several keys may share a name, those of logs that came one after another.
  Signed found = Signed::no;
  for (const PolicyKey& log : logs_) {
    if (log.name != checkpoint.checkpoint.origin) continue;
    const Signed by_this = signed_by(checkpoint.note, log.key);
    if (by_this == Signed::wrong) return by_this;
    if (by_this == Signed::yes) found = by_this;
  }
  return found;
}

Policy::Quorum Policy::quorum_of(const Note& note, UnixSeconds now) const {
  Quorum quorum;
  std::vector<bool> seen;  // for each of the members
  for (const Member& member : members_) {
    if (!member.members.empty()) {
      const auto count = std::ranges::count_if(member.members, [&](auto i) { return seen[i]; });
      seen.push_back(static_cast<std::size_t>(count) >= member.threshold);
      continue;
    }
    const VerifierKey& key = witnesses_[member.witness].key;
    const auto time = cosigned(note, key, now + seconds_ahead);
    if (time)
      quorum.cosigners.push_back({.name = key.name, .time = *time});
    else if (const auto later = cosigned(note, key, std::numeric_limits<UnixSeconds>::max()))
      quorum.ahead.push_back({.name = key.name, .time = *later});
    seen.push_back(time.has_value());
  }
  quorum.reached = !quorum_ || seen[*quorum_];
  return quorum;
}

}  // namespace snl::transparency
