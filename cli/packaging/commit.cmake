# Sets SNL_COMMIT and SNL_COMMIT_TIME (Unix seconds): from git in a checkout, from the file .commit in a source
# tarball; elsewhere "unknown" and empty. CMake reads them again after each commit.
set(SNL_COMMIT unknown)
set(SNL_COMMIT_TIME "")
set(named "")
set(root ${CMAKE_CURRENT_LIST_DIR}/../..)
if(EXISTS ${root}/.git)
  execute_process(
    COMMAND git log -1 --format=%H\ %ct
    WORKING_DIRECTORY ${root}
    OUTPUT_VARIABLE named
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(
    COMMAND git rev-parse --path-format=absolute --git-path logs/HEAD
    WORKING_DIRECTORY ${root}
    OUTPUT_VARIABLE reflog
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(reflog AND EXISTS "${reflog}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${reflog})
  endif()
elseif(EXISTS ${root}/.commit)
  file(STRINGS ${root}/.commit named LIMIT_COUNT 1)
endif()
if(named MATCHES "^([0-9a-f]+) ([0-9]+)$")
  set(SNL_WHOLE_COMMIT ${CMAKE_MATCH_1})
  string(SUBSTRING ${SNL_WHOLE_COMMIT} 0 12 SNL_COMMIT)
  set(SNL_COMMIT_TIME ${CMAKE_MATCH_2})
endif()
