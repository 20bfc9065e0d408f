/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module "virtual:papers" {
  const papers: Record<string, string>; // by algorithm: who, when, title, where
  export default papers;
}
