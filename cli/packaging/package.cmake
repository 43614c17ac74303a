# Debian packages, by `cmake --workflow --preset package`: snl, libsnl2 and libsnl-dev in build/package.
# And `cmake --build … --target source_tarball`.
set(SNL_LICENCE
    ""
    CACHE STRING "Short name of the licence in cli/packaging/licence.txt, once there is one")
set(SNL_CONTACT
    "The maintainers of snl <snl@packages.debian.org>"
    CACHE STRING "The maintainer of the packages: a name, and <an address>")

set(here ${CMAKE_CURRENT_LIST_DIR})
set(made ${PROJECT_BINARY_DIR}/packaging)
set(library_package libsnl${PROJECT_VERSION_MAJOR})

# A tarball that holds the commit as a file, so that sources without git know their origin. It has the same
# bytes whenever it is made.
find_program(GIT git)
if(GIT AND SNL_COMMIT_TIME AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  set(folder snl-${PROJECT_VERSION})
  set(tarball ${PROJECT_BINARY_DIR}/${folder}.tar.gz)
  add_custom_target(
    source_tarball
    COMMAND
      ${GIT} -c "tar.tar.gz.command=gzip -9nc" archive --format=tar.gz --output=${tarball} --prefix=${folder}/
      "--add-virtual-file=${folder}/.commit:${SNL_WHOLE_COMMIT} ${SNL_COMMIT_TIME}" ${SNL_WHOLE_COMMIT}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    BYPRODUCTS ${tarball}
    VERBATIM)
endif()

if(NOT SNL_DEBIAN)
  return()
endif()

# The documents of each package: its maker, its licence, its changes.
if(SNL_LICENCE)
  set(licence_name ${SNL_LICENCE})
else()
  set(licence_name none-chosen-yet)
endif()
file(READ ${here}/licence.txt licence_text)
string(STRIP "${licence_text}" licence_text)
string(REGEX REPLACE "\n\n" "\n.\n" licence_text "${licence_text}")
string(REPLACE "\n" "\n " licence_text " ${licence_text}")
configure_file(${here}/copyright.in ${made}/copyright @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${here}/licence.txt ${here}/changelog
                                       ${PROJECT_SOURCE_DIR}/cli/CHANGELOG.md)
execute_process(COMMAND gzip -9nc ${here}/changelog OUTPUT_FILE ${made}/changelog.Debian.gz
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/cli/CHANGELOG.md OUTPUT_FILE ${made}/changelog.gz
                COMMAND_ERROR_IS_FATAL ANY)
function(snl_describe_package component package)
  install(
    FILES ${made}/copyright ${made}/changelog.gz ${made}/changelog.Debian.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${component})
  if(EXISTS ${here}/${package}.lintian-overrides)
    install(
      FILES ${here}/${package}.lintian-overrides
      DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
      RENAME ${package}
      COMPONENT ${component})
  endif()
endfunction()
snl_describe_package(program snl)
snl_describe_package(libraries ${library_package})
snl_describe_package(development libsnl-dev)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME snl)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_CONTACT ${SNL_CONTACT})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_SET_DESTDIR ON) # for files outside /usr
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program libraries development)
set(CPACK_COMPONENT_PROGRAM_DEPENDS libraries)
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS libraries)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
    ${PROJECT_BINARY_DIR}/domain ${PROJECT_BINARY_DIR}/domain/analysis ${PROJECT_BINARY_DIR}/storage
    ${PROJECT_BINARY_DIR}/cli/drawing ${PROJECT_BINARY_DIR}/cli/playback ${PROJECT_BINARY_DIR}/cli/page)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME snl)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION misc) # in section games it would be in /usr/games, which isn't on every PATH
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "sqlite3, libpq5")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${here}/postinst ${here}/prerm ${here}/postrm)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION
    "Snakes and Ladders with a log that proves every match
Plays, resumes, takes back, replays and audits matches of Snakes and Ladders.
Every turn is appended to a log that is never changed, so that a match can be
watched again and proven. It knows exact odds, too, and serves games to
browsers.")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SUGGESTS libpq5) # loaded when a store on PostgreSQL is opened
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_CONTROL_EXTRA ${here}/triggers)
set(CPACK_DEBIAN_LIBRARIES_DESCRIPTION
    "event-sourced Snakes and Ladders engine (shared libraries)
The engine, its exact odds, the store of its log, and the drawing of its games:
libraries for the program snl, and for other programs that embed them.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsnl-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
    "event-sourced Snakes and Ladders engine (development files)
Headers, in C++23, and the files that CMake and pkg-config need to find the
libraries of ${library_package}.")

# Packages have the same bytes on any day.
set(CPACK_PROJECT_CONFIG_FILE ${made}/cpack-time.cmake)
file(WRITE ${CPACK_PROJECT_CONFIG_FILE}
     "if(NOT DEFINED ENV{SOURCE_DATE_EPOCH} AND NOT \"${SNL_COMMIT_TIME}\" STREQUAL \"\")
  set(ENV{SOURCE_DATE_EPOCH} \"${SNL_COMMIT_TIME}\")
endif()\n")
include(CPack)
