// What every exported page has in it: the files of cli/page, embedded by the build.
#pragma once

#include <string_view>

namespace snl::cli {

struct PageSource {
  std::string_view html;    // with a {{place}} for each thing that is the game's own
  std::string_view style;   // can stand within <style> as it is
  std::string_view script;  // can stand within <script> as it is
};

const PageSource& page_source();

}  // namespace snl::cli
