// Only a source with which the compiler precompiles headers: see snl_add_test.
