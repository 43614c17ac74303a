#include "cli/commands/application.hpp"

int main(int argc, char** argv) {
  return snl::cli::run(argc, argv);
}
