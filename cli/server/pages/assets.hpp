// The styles and scripts that pages load, each under a name with its hash.
#pragma once

#include "cli/server/http.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace snl::cli {

/// Paths, such as "/assets/style-0f1e2d3c4b5a6978.css". The file at a path never changes.
struct AssetPaths {
  std::string style;
  std::string home_script;
  std::string game_script;
  std::string codes;
  std::string signatures;
  std::string icon;
  std::string manifest;
};

const AssetPaths& asset_paths();

/// None for a path that names no file.
std::optional<HttpResponse> asset_response(std::string_view path);

}  // namespace snl::cli
