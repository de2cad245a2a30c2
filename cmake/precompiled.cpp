// The owners of the precompiled headers (precompiled.cmake) need one source each; they are never linked.
