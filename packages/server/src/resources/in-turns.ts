const inOneGo = 20

/** Goes through many things with their positions. Work that takes long on each gives others their turn in between. */
export async function* inTurns<One>(all: readonly One[]): AsyncGenerator<[number, One]> {
  for (const [index, one] of all.entries()) {
    if (index % inOneGo === inOneGo - 1) await new Promise((resolve) => setImmediate(resolve))
    yield [index, one]
  }
}
