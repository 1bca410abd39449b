# awk -v out=FOLDER -f blocks.awk PAGE: takes the fenced blocks out of a page. One below a line "`path`:" becomes the file FOLDER/path,
# every other one FOLDER/LINE.LANGUAGE. A comment before a block names the frame that makes a whole of it (frames/), or why it is not
# run: <!-- frame: field -->, <!-- not run: a cluster -->. Prints a line for each block: its file, and the name of its frame or "-".
BEGIN { frame = "-" }
/^<!-- frame: .* -->$/ { frame = $3; next }
/^<!-- not run: .* -->$/ { frame = "none"; next }
/^`[^` ]*`:$/ { path = substr($0, 2, length($0) - 3); next }
/^```/ && !inside {
    inside = 1
    file = path ? path : FNR "." substr($0, 4)
    print file, frame
    parent = out "/" file
    sub("/[^/]*$", "", parent)
    system("mkdir -p '" parent "'")
    printf "" > (out "/" file)
    next
}
/^```$/ {
    close(out "/" file)
    inside = 0
    path = ""
    frame = "-"
    next
}
inside { print > (out "/" file); next }
/./ { path = ""; frame = "-" }
