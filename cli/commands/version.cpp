// The one source that is compiled again after each commit.
#include "version.hpp"

namespace snl::cli {

const char* const version_text = "snl " SNL_VERSION " (commit " SNL_COMMIT ")";

}  // namespace snl::cli
