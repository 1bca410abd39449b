title="A build that the document does not have"
named=unreal
mistake() {
    change hills.oro '</interface>' '</interface><build name="unreal" resolution="127" for="unreal" outputs="terrain"/>'
    run orograph render hills.oro --build unrael
}
remedy() {
    run orograph render hills.oro --build unreal
}
