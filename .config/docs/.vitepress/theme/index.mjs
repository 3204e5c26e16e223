/** VitePress's theme with the fonts of the reader's machine. */
import Theme from "vitepress/theme-without-fonts";
import "./style.css";

export default Theme;
