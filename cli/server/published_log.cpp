#include "published_log.hpp"

#include "cli/exports/proof_in_log.hpp"
#include "domain/whole_number.hpp"
#include "query.hpp"
#include "responses.hpp"
#include "storage/transparency/signing.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace snl::cli {

namespace json = boost::json;

using transparency::LogReader;
using transparency::SignedCheckpoint;
using transparency::StoredLog;
using transparency::tile_width;
using transparency::TreeSize;

namespace {

constexpr std::string_view text_type = "text/plain; charset=utf-8";

[[noreturn]] void throw_no_log() {
  throw HttpProblem(404, "not-found", "this store has published no log");
}

[[noreturn]] void throw_nothing_here() {
  throw HttpProblem(404, "not-found", "there is nothing at this path");
}

[[noreturn]] void throw_not_signed_yet(const std::string& why) {
  throw HttpProblem(404, "not-signed-yet", why).with_header("Retry-After", "10");
}

HttpResponse bytes_response(std::string_view type, std::string_view caching, std::string bytes) {
  return {.status = 200,
          .headers = {{"Content-Type", std::string(type)}, {"Cache-Control", std::string(caching)}},
          .body = std::make_shared<const std::string>(std::move(bytes))};
}

std::string bytes_of(const Hash& hash) {
  return {hash.begin(), hash.end()};
}

/// A tile, as its path below /log/tile/ names it.
struct Tile {
  bool has_entries = false;
  int level = 0;
  std::uint64_t number = 0;
  std::size_t width = tile_width;

  static std::optional<Tile> parse(std::string_view path) {
    if (path.ends_with('/')) return std::nullopt;
    Tile tile;
    const std::string_view level = take_part(path);
    tile.has_entries = level == "entries";
    const auto digits = transparency::parse_number(level);
    if (!tile.has_entries && (!digits || *digits > most_level)) return std::nullopt;
    tile.level = static_cast<int>(digits.value_or(0));
    return tile.take_number(path) ? std::optional(tile) : std::nullopt;
  }

  /// The number of leaves that a tree needs to have this tile.
  TreeSize leaves() const {
    TreeSize needed = number * tile_width + width;
    for (int below = 0; below < level; ++below)
      needed = needed > most_leaves / tile_width ? most_leaves : needed * tile_width;
    return needed;
  }

 private:
  static constexpr std::uint64_t most_level = transparency::most_levels;
  static constexpr TreeSize most_leaves = std::numeric_limits<std::int64_t>::max();

  static std::string_view take_part(std::string_view& path) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    return part;
  }

  static bool is_group(std::string_view text) {
    return text.size() == 3 &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  }

  void add_group(std::string_view group) {
    constexpr std::uint64_t thousand = 1000;
    number = number * thousand + static_cast<std::uint64_t>(*whole_number(group));
  }

  /// Groups of three digits, each but the last after an x; then .p/W for a tile that isn't full. A
  /// number is written in one way only.
  bool take_number(std::string_view path) {
    constexpr int most_groups = 5;  // more are beyond any store
    int groups = 1;
    std::string_view part = take_part(path);
    for (; part.starts_with('x'); part = take_part(path)) {
      const bool is_idle = groups == 1 && part == "x000";
      if (!is_group(part.substr(1)) || is_idle || ++groups > most_groups) return false;
      add_group(part.substr(1));
    }
    const bool is_partial = part.ends_with(".p");
    if (is_partial) part.remove_suffix(2);
    if (!is_group(part)) return false;
    add_group(part);
    if (!is_partial) return path.empty();
    const auto wide = transparency::parse_number(path);
    width = static_cast<std::size_t>(wide.value_or(0));
    return wide && *wide > 0 && *wide < tile_width;
  }
};

/// A policy may write a witness's key as a log's; its cosignatures have the ID of its own type.
std::string cosigning_vkey(transparency::VerifierKey key) {
  key.type = transparency::KeyType::witness;
  return key.text();
}

void allow_all_origins(HttpResponse& response) {
  response.headers.emplace_back("Access-Control-Allow-Origin", "*");
}

}  // namespace

class PublishedLog::Handler {
 public:
  Handler(const PublishedLog& log, const HttpRequest& request)
      : log_(log), request_(request), path_(path_of(request.target)) {}

  HttpResponse response() {
    if (request_.method == "OPTIONS") return {.status = 204, .headers = {{"Allow", allowed}}};
    if (request_.method != "GET" && request_.method != "HEAD")
      throw HttpProblem(405, "method-not-allowed", fmt::format("this path takes {}", allowed))
          .with_header("Allow", allowed);
    if (path_.starts_with("/log") && log_.settings_.is_contradicted()) throw_ended();
    constexpr std::string_view tiles = "/log/tile/";
    if (path_ == "/log/checkpoint") return checkpoint();
    if (path_.starts_with(tiles)) return tile(Tile::parse(path_.substr(tiles.size())));
    if (path_ == "/api/log") return facts();
    if (path_ == "/api/log/consistency") return consistency();
    throw_nothing_here();
  }

 private:
  static constexpr const char* allowed = "GET, HEAD, OPTIONS";

  [[noreturn]] static void throw_ended() {
    throw HttpProblem(503, "unavailable",
                      "the store, or a witness, contradicts what was signed, so the log has ended; "
                      "ask the operator")
        .with_header("Retry-After", "60");
  }

  template <class Work>
  void read(const Work& work) const {
    log_.store_->read_log([&](LogReader& reader) { work(reader, log_.published_log(reader)); });
  }

  HttpResponse checkpoint() const {
    std::string note;
    read([&](LogReader&, const StoredLog& log) { note = log.published->note.to_string(); });
    const std::string tag = "\"" + to_hex(hash_of(note)).substr(0, 16) + "\"";
    HttpResponse response = bytes_response(text_type, "no-cache", std::move(note));
    if (client_has(request_, tag))
      response = {.status = 304, .headers = {{"Cache-Control", "no-cache"}}};
    response.headers.emplace_back("ETag", tag);
    return response;
  }

  HttpResponse tile(const std::optional<Tile>& asked) const {
    if (!asked) throw_nothing_here();
    std::string bytes;
    read([&](LogReader& reader, const StoredLog& log) {
      if (asked->leaves() > log.published->checkpoint.size)
        throw HttpProblem(404, "not-found",
                          "the published log doesn't reach that far yet; ask again later");
      bytes.clear();
      const std::uint64_t first = asked->number * tile_width;
      // It may be kept for ever, so it must be what was signed.
      const auto nodes = transparency::signed_nodes(reader, log.published->checkpoint, asked->level,
                                                    first, asked->width);
      if (asked->has_entries) {
        for (const Hash& leaf : reader.leaves(first, asked->width))
          bytes += std::string("\0\x20", 2) + bytes_of(leaf);  // its length comes first
      } else {
        for (const Hash& node : nodes)
          bytes += bytes_of(node);
      }
    });
    return bytes_response("application/octet-stream", "public, max-age=31536000, immutable",
                          std::move(bytes));
  }

  HttpResponse facts() const {
    const Query nothing(request_, {});
    json::object body;
    read([&](LogReader&, const StoredLog& log) {
      const SignedCheckpoint& published = *log.published;
      body = {{"origin", log.origin},
              {"vkey", log.vkey},
              {"size", published.checkpoint.size},
              {"checkpoint", published.note.to_string()},
              {"policy", nullptr},
              {"witnesses", witnesses_of(published)}};
    });
    if (!log_.settings_.policy.empty()) body["policy"] = log_.settings_.policy;
    HttpResponse response = json_response(200, body);
    response.headers.emplace_back("Cache-Control", "no-cache");
    return response;
  }

  /// The policy's witnesses that have cosigned.
  json::array witnesses_of(const SignedCheckpoint& published) const {
    json::array witnesses;
    const auto policy = transparency::Policy::parse(log_.settings_.policy);
    if (!policy) return witnesses;
    for (const transparency::PolicyKey& witness : policy->witnesses()) {
      const auto time = transparency::cosigned(published.note, witness.key,
                                               std::numeric_limits<std::int64_t>::max());
      if (time)
        witnesses.push_back(json::object{
            {"name", witness.key.name}, {"vkey", cosigning_vkey(witness.key)}, {"time", *time}});
    }
    return witnesses;
  }

  TreeSize size_in(const Query& query, std::string_view name) const {
    const auto digits = query.text(name);
    const auto size = digits ? transparency::parse_number(*digits) : std::nullopt;
    if (!size) throw HttpProblem(400, "unreadable", fmt::format("{} is a number of commits", name));
    return *size;
  }

  HttpResponse consistency() const {
    const Query query(request_, {"from", "to"});
    TreeSize from = 0;
    TreeSize to = 0;
    std::vector<Hash> proof;
    read([&](LogReader& reader, const StoredLog& log) {
      from = size_in(query, "from");
      to = size_in(query, "to");
      if (from > to) throw HttpProblem(400, "unreadable", "from can't be greater than to");
      if (to > log.published->checkpoint.size)
        throw HttpProblem(404, "not-found",
                          "the published log doesn't reach that far yet; ask again later");
      proof = transparency::prove_consistency(reader, log.published->checkpoint, from, to);
    });
    json::array hashes;
    for (const Hash& hash : proof)
      hashes.emplace_back(transparency::to_base64(hash));
    HttpResponse response =
        json_response(200, json::object{{"from", from}, {"to", to}, {"proof", std::move(hashes)}});
    response.headers.emplace_back("Cache-Control", "no-cache");
    return response;
  }

  const PublishedLog& log_;
  const HttpRequest& request_;
  std::string_view path_;
};

bool is_of_log(std::string_view path) {
  return path == "/log" || path.starts_with("/log/") || path == "/api/log" ||
         path.starts_with("/api/log/");
}

PublishedLog::PublishedLog(std::unique_ptr<StoreAdmin> store, PublishedLogSettings settings)
    : store_(std::move(store)), settings_(std::move(settings)) {}

PublishedLog::~PublishedLog() = default;

HttpResponse PublishedLog::response(const HttpRequest& request) const {
  HttpResponse response =
      responded([&] { return Handler(*this, request).response(); }, settings_.report_failure);
  allow_all_origins(response);
  return response;
}

transparency::StoredLog PublishedLog::published_log(LogReader& reader) const {
  auto log = transparency::verified_log(reader);
  if (log && log->published) return *std::move(log);
  if (log || settings_.is_signed)
    throw_not_signed_yet("this store has published no checkpoint yet; ask again");
  throw_no_log();
}

HttpResponse PublishedLog::proof_of(const Commit& commit) const {
  std::optional<transparency::LogProof> proof;
  store_->read_log([&](LogReader& reader) {
    proof = transparency::prove_commit(reader, *published_log(reader).published, commit);
  });
  if (!proof) throw_not_signed_yet("no published checkpoint covers this game yet; ask again");
  return bytes_response(text_type, "no-store", proof->text());
}

std::optional<ProofInLog> PublishedLog::proof_for_page(const Commit& commit) const {
  std::optional<transparency::Policy> policy;
  if (auto parsed = transparency::Policy::parse(settings_.policy)) policy = *std::move(parsed);
  try {
    return proof_in_log(*store_, commit, policy);
  } catch (const std::runtime_error& error) {
    settings_.report_failure(fmt::format("a page gets no proof: {}", error.what()));
    return std::nullopt;
  }
}

}  // namespace snl::cli
