title="--size names no preset"
named=unreal
mistake() {
    run orograph convert hills.pfm out.png --size unral
}
remedy() {
    run orograph convert hills.pfm out.png --size unreal
}
