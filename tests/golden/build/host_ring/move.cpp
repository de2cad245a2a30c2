// Not compiled here.
extern "C" void kernel_entry(long long *args) { (void)args; }
