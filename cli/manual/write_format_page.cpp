// Makes snl-store(5) of the README that specifies the format, of where a store may live, and of
// what that of stores on PostgreSQL has for operators:
//   snl_write_format_page README SQLITE_README POSTGRES_README PAGE VERSION DATE

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

/// What follows a heading, up to the next of its level.
std::string part_of(const std::string& readme, const std::string& heading) {
  const std::size_t at = readme.find("\n" + heading + "\n");
  if (at == std::string::npos)
    throw std::runtime_error("the README has no part \"" + heading + '"');
  const std::string rest = readme.substr(at + heading.size() + 2);
  return rest.substr(0, rest.find("\n" + heading.substr(0, heading.find(' ') + 1)));
}

void write_page(const char* readme, const char* sqlite, const char* postgres, const char* page,
                const char* version, const char* date) {
  const snl::cli::PageTitle title{.name = "snl-store",
                                  .section = "5",
                                  .volume = "File Formats",
                                  .version = version,
                                  .date = date};
  std::ofstream file(page);
  file << snl::cli::page_head(title, "the format of the store of snl, and of its exports")
       << ".SH DESCRIPTION\n"
       << snl::cli::roff_of_markdown(part_of(read(readme), "# The format"))
       << snl::cli::roff_of_markdown("## Where a store may live\n" +
                                     part_of(read(sqlite), "## Where a store may live"))
       << snl::cli::roff_of_markdown("## A store on PostgreSQL\n" +
                                     part_of(read(postgres), "## For operators"))
       << ".SH SEE ALSO\n.BR snl (1),\n.BR snl\\-audit (1),\n.BR snl\\-export (1),\n"
          ".BR snl\\-serve (8)\n";
  file.close();
  if (!file) throw std::runtime_error(std::string("can't write ") + page);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 7)
      throw std::runtime_error("usage: README SQLITE_README POSTGRES_README PAGE VERSION DATE");
    write_page(argv[1], argv[2], argv[3], argv[4], argv[5], argv[6]);
    return 0;
  } catch (const std::exception& error) {
    (void)std::fprintf(stderr, "snl_write_format_page: %s\n", error.what());
    return 1;
  }
}
