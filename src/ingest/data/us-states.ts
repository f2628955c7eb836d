/**
 * States of the USA by English name, for databases that name a state without its code (I-87).
 *
 * Source: United States Postal Service, Publication 28, appendix B.
 */

const TABLE = `
Alabama AL, Alaska AK, Arizona AZ, Arkansas AR, California CA, Colorado CO, Connecticut CT,
Delaware DE, District of Columbia DC, Florida FL, Georgia GA, Hawaii HI, Idaho ID, Illinois IL,
Indiana IN, Iowa IA, Kansas KS, Kentucky KY, Louisiana LA, Maine ME, Maryland MD,
Massachusetts MA, Michigan MI, Minnesota MN, Mississippi MS, Missouri MO, Montana MT,
Nebraska NE, Nevada NV, New Hampshire NH, New Jersey NJ, New Mexico NM, New York NY,
North Carolina NC, North Dakota ND, Ohio OH, Oklahoma OK, Oregon OR, Pennsylvania PA,
Rhode Island RI, South Carolina SC, South Dakota SD, Tennessee TN, Texas TX, Utah UT, Vermont VT,
Virginia VA, Washington WA, West Virginia WV, Wisconsin WI, Wyoming WY`;

/** State's English name → two-letter code. */
export const US_STATES: ReadonlyMap<string, string> = new Map(
  TABLE.split(',').map((row) => {
    const words = row.trim().split(' ');
    return [words.slice(0, -1).join(' '), words.at(-1) as string];
  }),
);
