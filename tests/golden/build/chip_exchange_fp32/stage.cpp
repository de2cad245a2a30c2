// Stands for a kernel that the user wrote; nothing compiles it here.
