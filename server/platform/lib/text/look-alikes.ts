/** Small letters of two alphabets that look alike, each at the place of the other: M8x40 and М8х40 are one code to a reader. */
export const LOOK_ALIKES = { cyrillic: 'авекмнорстух', latin: 'abekmhopctyx' } as const
