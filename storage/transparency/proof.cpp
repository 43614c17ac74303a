#include "proof.hpp"

#include <fmt/format.h>

#include <utility>

namespace snl::transparency {
namespace {

constexpr std::string_view first_line = "c2sp.org/tlog-proof@v1\n";
constexpr std::size_t most_hashes = 64;

/// If the next line of `text` begins with `word` and a space, removes the line and returns the rest
/// of it.
std::optional<std::string_view> take_member(std::string_view& text, std::string_view word) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(word)) return std::nullopt;
  const std::string_view value = text.substr(word.size(), end - word.size());
  text.remove_prefix(end + 1);
  return value;
}

}  // namespace

std::string lines_of(std::span<const Hash> hashes) {
  std::string lines;
  for (const Hash& hash : hashes)
    lines += to_base64(hash) + '\n';
  return lines;
}

std::optional<std::vector<Hash>> take_hashes(std::string_view& text) {
  std::vector<Hash> hashes;
  while (!text.empty() && !text.starts_with('\n')) {
    const std::size_t end = text.find('\n');
    const auto hash = array_from_base64<32>(text.substr(0, end));
    if (!hash || end == std::string_view::npos || hashes.size() == most_hashes) return std::nullopt;
    hashes.push_back(*hash);
    text.remove_prefix(end + 1);
  }
  return hashes;
}

std::string LogProof::text() const {
  std::string text(first_line);
  if (extra) {
    const Bytes bytes(extra->begin(), extra->end());
    text += fmt::format("extra {}\n", to_base64(bytes));
  }
  return text + fmt::format("index {}\n", index) + lines_of(hashes) + '\n' +
         signed_checkpoint.note.to_string();
}

std::optional<LogProof> LogProof::parse(std::string_view text) {
  if (!text.starts_with(first_line)) return std::nullopt;
  text.remove_prefix(first_line.size());
  LogProof proof;
  if (const auto extra = take_member(text, "extra ")) {
    const auto bytes = from_base64(*extra);
    if (!bytes) return std::nullopt;
    proof.extra.emplace(bytes->begin(), bytes->end());
  }
  const auto digits = take_member(text, "index ");
  const auto index = digits ? parse_number(*digits) : std::nullopt;
  if (!index) return std::nullopt;
  auto hashes = take_hashes(text);
  if (!hashes || text.empty()) return std::nullopt;
  auto checkpoint = SignedCheckpoint::parse(text.substr(1));
  if (!checkpoint) return std::nullopt;
  proof.index = *index;
  proof.hashes = *std::move(hashes);
  proof.signed_checkpoint = *std::move(checkpoint);
  return proof;
}

bool LogProof::proves(const Hash& commit) const {
  const Checkpoint& tree = signed_checkpoint.checkpoint;
  return proves_inclusion(hashes, leaf_hash(commit), index, tree.size, tree.root);
}

}  // namespace snl::transparency
