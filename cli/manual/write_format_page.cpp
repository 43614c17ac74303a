// Makes snl-store(5) of the README that specifies the format:
//   snl_write_format_page README README_OF_SQLITE PAGE VERSION DATE
// The second one tells where a store may live.

#include "roff.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

std::string read(const char* path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(std::string("can't read ") + path);
  return text.str();
}

/// From the heading on: what is above it is for who changes the code.
std::string format_part(const std::string& readme) {
  const std::string heading = "\n# The format\n";
  const std::size_t at = readme.find(heading);
  if (at == std::string::npos) throw std::runtime_error("the README has no part \"# The format\"");
  return readme.substr(at + heading.size());
}

/// The section on where a store may live, with its heading.
std::string places_part(const std::string& readme) {
  const std::string heading = "\n## Where a store may live\n";
  const std::size_t at = readme.find(heading);
  if (at == std::string::npos)
    throw std::runtime_error("the README has no part \"## Where a store may live\"");
  return readme.substr(at, readme.find("\n## ", at + heading.size()) - at + 1);
}

void write_page(const char* readme, const char* readme_of_sqlite, const char* page,
                const char* version, const char* date) {
  const snl::cli::PageTitle title{.name = "snl-store",
                                  .section = "5",
                                  .volume = "File Formats",
                                  .version = version,
                                  .date = date};
  std::ofstream file(page);
  file << snl::cli::page_head(title, "the format of the store of snl, and of its exports")
       << ".SH DESCRIPTION\n"
       << snl::cli::roff_of_markdown(format_part(read(readme)))
       << snl::cli::roff_of_markdown(places_part(read(readme_of_sqlite)))
       << ".SH SEE ALSO\n.BR snl (1),\n.BR snl\\-audit (1),\n.BR snl\\-export (1)\n";
  file.close();
  if (!file) throw std::runtime_error(std::string("can't write ") + page);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 6) throw std::runtime_error("usage: README README_OF_SQLITE PAGE VERSION DATE");
    write_page(argv[1], argv[2], argv[3], argv[4], argv[5]);
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "snl_write_format_page: %s\n", error.what());
    return 1;
  }
}
