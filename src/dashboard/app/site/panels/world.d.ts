/** The map, made by `config/tools/build-map.mjs`. */
declare module 'footfall:world' {
  export const world: {
    readonly width: number;
    readonly height: number;
    /** Two letters of a country → the path of its outline. */
    readonly shapes: Readonly<Record<string, string>>;
    /** Countries too small for an outline. */
    readonly dots: Readonly<Record<string, readonly [number, number]>>;
  };
}
