#include "witness.hpp"

#include "durable_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

namespace snl::transparency {
namespace {

constexpr std::size_t most_proof_lines = 63;
/// Of a request's checkpoint and the witness's own line, which has a name of at most 200 bytes.
constexpr std::size_t longest_kept = longest_request + 512;

WitnessResponse error_response(unsigned status, std::string_view why) {
  return {.status = status, .body = std::string(why) + '\n'};
}

/// Tells a log the size that the witness has seen, if the log assumed another.
WitnessResponse conflict(TreeSize size) {
  return {.status = 409, .body = fmt::format("{}\n", size), .type = "text/x.tlog.size"};
}

}  // namespace

std::string WitnessRequest::text() const {
  return fmt::format("old {}\n{}\n{}", old, lines_of(proof), checkpoint.note.to_string());
}

std::optional<WitnessRequest> WitnessRequest::parse(std::string_view text) {
  constexpr std::string_view word = "old ";
  const std::size_t end = text.find('\n');
  if (!text.starts_with(word) || end == std::string_view::npos) return std::nullopt;
  const auto old = parse_number(text.substr(word.size(), end - word.size()));
  text.remove_prefix(end + 1);
  auto proof = take_hashes(text);
  if (!old || !proof || proof->size() > most_proof_lines || text.empty()) return std::nullopt;
  auto checkpoint = SignedCheckpoint::parse(text.substr(1));
  if (!checkpoint) return std::nullopt;
  return WitnessRequest{
      .old = *old, .proof = *std::move(proof), .checkpoint = *std::move(checkpoint)};
}

Witness::Witness(const KeyFile& key, const Policy& policy, std::string folder)
    : key_(key), policy_(policy), folder_(std::move(folder)) {
  std::error_code error;
  std::vector<std::filesystem::path> made;
  for (auto path = std::filesystem::absolute(folder_ + "/").parent_path();
       !std::filesystem::exists(path, error); path = path.parent_path())
    made.push_back(path);
  std::filesystem::create_directories(folder_, error);
  if (error)
    refuse_file(folder_, fmt::format("it can't be made: {}; name another folder", error.message()));
  for (const auto& path : made)
    sync_folder_of(path);
}

std::string Witness::file_of(std::string_view hex) const {
  return (std::filesystem::path(folder_) / hex / "checkpoint").string();
}

std::optional<std::string> Witness::kept(std::string_view hex) const {
  if (!hash_from_hex(hex)) return std::nullopt;
  const std::string path = file_of(hex);
  const Descriptor file(path, O_RDONLY);
  if (!file.is_open() && errno == ENOENT) return std::nullopt;
  if (!file.is_open()) fail_at(path, "it can't be read");
  return read_text(file, longest_kept, path);
}

/// The last checkpoint; for a log that it never saw, the empty tree.
Checkpoint Witness::last_of(const std::string& origin) const {
  const auto text = kept(to_hex(hash_of(origin)));
  if (!text) return {.origin = origin, .size = 0, .root = TreeBuilder().root()};
  auto last = SignedCheckpoint::parse(*text);
  if (!last || last->checkpoint.origin != origin ||
      !cosigned(last->note, key_.key().verifier(), std::numeric_limits<UnixSeconds>::max()))
    refuse_file(file_of(to_hex(hash_of(origin))),
                "it isn't the last checkpoint that this key cosigned; put that back");
  return last->checkpoint;
}

WitnessResponse Witness::add_checkpoint(std::string_view body, UnixSeconds now) {
  if (body.size() > longest_request)
    return error_response(413, "the request is longer than 128 KiB");
  auto request = WitnessRequest::parse(body);
  if (!request)
    return error_response(400, "the request isn't in the form of c2sp.org/tlog-witness");
  const Checkpoint& next = request->checkpoint.checkpoint;
  if (std::ranges::find(policy_.logs(), next.origin, &PolicyKey::name) == policy_.logs().end())
    return error_response(404, "this witness doesn't know that log");
  if (policy_.signature_of(request->checkpoint) != Signed::yes)
    return error_response(403, "it isn't signed by the key that this witness knows");
  if (request->old > next.size)
    return error_response(400, "the old size is larger than the new one");

  const std::lock_guard lock(mutex_);
  const Checkpoint last = last_of(next.origin);
  if (request->old != last.size) return conflict(last.size);
  if (next.size == last.size && next.root != last.root) return conflict(last.size);
  if (!proves_consistency(request->proof, last.size, last.root, next.size, next.root))
    return error_response(422, "it doesn't go on from what this witness cosigned last");
  // Lines of others aren't kept: a note with too many can't be read back.
  Note& note = request->checkpoint.note;
  const auto of_log = std::ranges::find_if(note.signatures, [&](const SignatureLine& line) {
    return std::ranges::any_of(policy_.logs(), [&](const PolicyKey& log) {
      return log.name == next.origin && line.is_of(log.key);
    });
  });
  note.signatures = {*of_log, cosignature(key_.key(), note.text, now)};
  const std::string path = file_of(to_hex(hash_of(next.origin)));
  std::error_code error;
  std::filesystem::create_directory(std::filesystem::path(path).parent_path(), error);
  replace_file(path, note.to_string());
  sync_folder_of(std::filesystem::path(path).parent_path());
  return {.status = 200, .body = note.signatures.back().text()};
}

}  // namespace snl::transparency
