# What a log of frames (orograph-editor --frames) says: milliseconds.
function number(name) {
    if (!match($0, "\"" name "\": -?[0-9.]+"))
        return -1
    split(substr($0, RSTART, RLENGTH), part, ": ")
    return part[2]
}
function sort_into(list, count, value) {
    while (count > 0 && list[count] > value) {
        list[count + 1] = list[count]
        count--
    }
    list[count + 1] = value
}
function tell(title, list, count, high) {
    high = int(count * 0.95)
    if (high < 1)
        high = 1
    if (count == 0)
        printf "%-36s none\n", title
    else
        printf "%-36s median %6.1f  95 %% %6.1f  most %6.1f  (%d)\n", title, list[int((count + 1) / 2)] * 1000,
            list[high] * 1000, list[count] * 1000, count
}
/"gpu"/ {
    sort_into(gpu, gpus++, number("gpu"))
    next
}
{
    at = number("at")
    revision = number("revision")
    shown = number("shown")
    event = number("event")
    if (revision > newest) {
        if (newest > 0 && event >= 0) {
            sort_into(frames, frame_count++, event)
            pending[++last] = revision
            since[last] = at - event
        }
        newest = revision
        editing = 1
    }
    for (; first < last && shown >= pending[first + 1]; first++)
        sort_into(pictures, picture_count++, at - since[first + 1])
    if (editing)
        sort_into(blocked, blocks++, number("cpu") + number("swap"))
}
END {
    tell("edit to its frame", frames, frame_count)
    tell("edit to its picture, or a newer one", pictures, picture_count)
    tell("a frame, on the processor and swap", blocked, blocks)
    tell("a frame, on the graphics card", gpu, gpus)
}
