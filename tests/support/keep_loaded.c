/* In builds with sanitizers, libraries that were opened stay: what a graphics driver leaks on some processors
 * can then be told by the driver's name (tests/lsan.supp), even after it was closed. */
int dlclose(void *handle);

__attribute__((weak)) int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
