import uPlot from 'uplot'

/** Draws a chart that is as wide as its element, also when that changes. Returns what takes it away. */
export function drawPlot(
  element: HTMLElement,
  options: (width: number) => uPlot.Options,
  data: uPlot.AlignedData,
): () => void {
  const { height, ...rest } = options(element.clientWidth)
  const plot = new uPlot({ ...rest, height }, data, element)
  const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
  resize.observe(element)
  return () => {
    resize.disconnect()
    plot.destroy()
  }
}
