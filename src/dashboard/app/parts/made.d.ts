/** Made when the page is built (config/tools/build-dashboard.mjs). */
declare module 'footfall:later-style' {
  export const address: string;
}
