// What pages load: styles and scripts, each under a name that says which edition it is.
#pragma once

#include "cli/server/http.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

/// Paths, as "/assets/style-0f1e2d3c4b5a6978.css". What is below one never changes.
struct AssetPaths {
  std::string style;
  std::string home_script;
  std::string game_script;
  std::string codes;
  std::string icon;
  std::string manifest;
};

const AssetPaths& asset_paths();

/// None for a path below which there is nothing.
std::optional<HttpResponse> asset_response(std::string_view path);

}  // namespace snl::cli
