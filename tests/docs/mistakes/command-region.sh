title="--region lies outside the world"
named=3200
mistake() {
    run orograph render hills.oro -o out.png --region 4000,0,800,800
}
remedy() {
    run orograph render hills.oro -o out.png --region 2400,0,800,800
}
