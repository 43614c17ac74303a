// The one source that is compiled again when a commit was made.
#include "version.hpp"

namespace snl::cli {

const char* const version_text = "snl " SNL_VERSION " (commit " SNL_COMMIT ")";

}  // namespace snl::cli
