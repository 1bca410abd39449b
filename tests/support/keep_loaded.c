/* In builds with sanitizers, opened libraries stay loaded, so that leaks of a graphics driver can be
 * recognised by the driver's name (tests/lsan.supp) even after it was closed. */
int dlclose(void *handle);

__attribute__((weak)) int dlclose(void *handle)
{
    (void)handle;
    return 0;
}
