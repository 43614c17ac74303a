#include "assets.hpp"

#include "cli/page/game_page.hpp"
#include "cli/page/page_template.hpp"
#include "cli/server/gzip.hpp"
#include "embedded_pages.hpp"  // written by the build
#include "storage/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

namespace snl::cli {
namespace {

struct Asset {
  std::string path;
  std::string_view type;
  std::shared_ptr<const std::string> content;
  std::shared_ptr<const std::string> gzipped;
};

Asset asset(std::string_view name, std::string_view ending, std::string_view type,
            std::string content) {
  auto gzipped = gzip(content);
  return {
      .path = fmt::format("/assets/{}-{}.{}", name, to_hex(hash_of(content)).substr(0, 16), ending),
      .type = type,
      .content = std::make_shared<const std::string>(std::move(content)),
      .gzipped = std::move(gzipped)};
}

constexpr std::string_view script_type = "text/javascript; charset=utf-8";

Asset icon() {
  return asset("icon", "svg", "image/svg+xml", std::string(pages_source.icon));
}

Asset manifest() {
  static constexpr std::array<std::string_view, 1> names{"icon"};
  static_assert(unmatched_place(pages_source.manifest, names).empty());
  return asset("app", "webmanifest", "application/manifest+json; charset=utf-8",
               filled(pages_source.manifest, [](std::string_view) { return icon().path; }));
}

const std::array<Asset, 7>& assets() {
  static const std::array<Asset, 7> all{
      asset("style", "css", "text/css; charset=utf-8",
            player_style() + std::string(pages_source.style)),
      asset("home", "js", script_type, std::string(pages_source.home_script)),
      asset("game", "js", script_type, std::string(pages_source.game_script)),
      asset("codes", "js", script_type, std::string(pages_source.codes)),
      asset("signatures", "js", script_type, std::string(pages_source.signatures)),
      icon(),
      manifest()};
  return all;
}

}  // namespace

const AssetPaths& asset_paths() {
  static const AssetPaths paths{.style = assets()[0].path,
                                .home_script = assets()[1].path,
                                .game_script = assets()[2].path,
                                .codes = assets()[3].path,
                                .signatures = assets()[4].path,
                                .icon = assets()[5].path,
                                .manifest = assets()[6].path};
  return paths;
}

std::optional<HttpResponse> asset_response(std::string_view path) {
  const auto* const found = std::ranges::find(assets(), path, &Asset::path);
  if (found == assets().end()) return std::nullopt;
  return HttpResponse{.status = 200,
                      .headers = {{"Content-Type", std::string(found->type)},
                                  {"Cache-Control", "public, max-age=31536000, immutable"},
                                  {"X-Content-Type-Options", "nosniff"},
                                  {"Cross-Origin-Resource-Policy", "same-origin"}},
                      .body = found->content,
                      .gzipped = found->gzipped};
}

}  // namespace snl::cli
