// One file for what compares and shows whole plans: the SDK is loaded and each plan is made once.
import "./impact/impact";
import "./reports/html";
import "./reports/json";
import "./reports/picture";
