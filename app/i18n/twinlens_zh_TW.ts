<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_TW" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>Ask again</source>
        <translation>再問一次</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>再找一次</translation>
    </message>
    <message>
        <source>{pipeline} cannot be used here: {reason}.</source>
        <translation>此處無法使用 {pipeline}：{reason}。</translation>
    </message>
    <message>
        <source>There is no picture to save yet.</source>
        <translation>還沒有畫面可以儲存。</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>選擇資料夾…</translation>
    </message>
    <message>
        <source>{text} The usual model runs instead.</source>
        <translation>{text} 改用平常的模型。</translation>
    </message>
    <message>
        <source>Use Auto</source>
        <translation>改用「自動」</translation>
    </message>
    <message>
        <source>Network camera…</source>
        <translation>網路攝影機…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再試一次</translation>
    </message>
    <message>
        <source>Nothing was recorded: no picture came while it lasted.</source>
        <translation>沒有錄到任何內容：期間沒有畫面。</translation>
    </message>
    <message>
        <source>What was recorded until the program broke off is saved as {names}.</source>
        <translation>程式中斷前的錄影已儲存為 {names}。</translation>
    </message>
    <message>
        <source>There is nothing to record yet: start a source first.</source>
        <translation>還沒有可以錄影的內容：請先開始一個來源。</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>停止錄影</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>錄影</translation>
    </message>
    <message>
        <source>Recording of {time} saved</source>
        <translation>已儲存 {time} 的錄影</translation>
    </message>
    <message>
        <source>There are no figures to save yet</source>
        <translation>還沒有數據可以儲存</translation>
    </message>
    <message>
        <source>Every model runs on inputs from the embedded clip, on every backend of this machine in turn, and so do all tasks together. It takes about a minute. Nothing leaves this machine.</source>
        <translation>每個模型都以內建短片為輸入，依序在這台電腦的每個後端上執行，接著所有任務一起執行。大約需要一分鐘。任何內容都不會離開這台電腦。</translation>
    </message>
    <message>
        <source>Trying the backends…</source>
        <translation>正在試用後端…</translation>
    </message>
    <message>
        <source>Gathering inputs…</source>
        <translation>正在收集輸入…</translation>
    </message>
    <message>
        <source>Measuring all tasks together…</source>
        <translation>正在測量所有任務一起執行…</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>測量</translation>
    </message>
    <message>
        <source>Stop the live picture while measuring</source>
        <translation>測量期間停止即時畫面</translation>
    </message>
    <message>
        <source>Both would slow each other down</source>
        <translation>兩者會互相拖慢</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>進度</translation>
    </message>
    <message>
        <source>Save figures…</source>
        <translation>儲存數據…</translation>
    </message>
    <message>
        <source>The benchmark file, JSON</source>
        <translation>效能測試檔，JSON</translation>
    </message>
    <message>
        <source>Save chart…</source>
        <translation>儲存圖表…</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>複製為文字</translation>
    </message>
    <message>
        <source>Tables in Markdown, for an issue or a message</source>
        <translation>Markdown 表格，可用於問題回報或訊息</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Save the figures</source>
        <translation>儲存數據</translation>
    </message>
    <message>
        <source>Figures copied</source>
        <translation>已複製數據</translation>
    </message>
    <message>
        <source>Measuring {step}…</source>
        <translation>正在測量 {step}…</translation>
    </message>
    <message>
        <source>Median latency of one run, in milliseconds; shorter is better.</source>
        <translation>單次執行的延遲中位數（毫秒）；越短越好。</translation>
    </message>
    <message>
        <source>{pipeline}: all tasks and the drawing take {ms} ms a frame, {fps} fps could be shown</source>
        <translation>{pipeline}：所有任務與繪製每幀需 {ms} ms，每秒可顯示 {fps} 幀</translation>
    </message>
    <message>
        <source>These are the figures from before.</source>
        <translation>這些是之前的數據。</translation>
    </message>
    <message>
        <source>How fast is this machine?</source>
        <translation>這台電腦有多快？</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Save the chart</source>
        <translation>儲存圖表</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>圖片 (*.png)</translation>
    </message>
    <message>
        <source>{name} saved</source>
        <translation>已儲存 {name}</translation>
    </message>
    <message>
        <source>{count} left out</source>
        <translation>略過 {count} 幀</translation>
    </message>
    <message>
        <source>{count} frames</source>
        <translation>{count} 幀</translation>
    </message>
    <message>
        <source>Recording: {state}</source>
        <translation>錄影：{state}</translation>
    </message>
    <message>
        <source>Place in the file</source>
        <translation>檔案中的位置</translation>
    </message>
    <message>
        <source>now</source>
        <translation>現在</translation>
    </message>
    <message>
        <source>Burst of screenshots</source>
        <translation>連續截圖</translation>
    </message>
    <message>
        <source>Looking at the file…</source>
        <translation>正在檢視檔案…</translation>
    </message>
    <message>
        <source>turned</source>
        <translation>已旋轉</translation>
    </message>
    <message>
        <source>mirrored</source>
        <translation>已鏡像</translation>
    </message>
    <message>
        <source>interlaced</source>
        <translation>交錯</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暫停</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>執行中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等候中</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>沒有寫入任何內容。</translation>
    </message>
    <message>
        <source>{done} frames of an earlier run were made with other settings and will be thrown away.</source>
        <translation>先前以其他設定處理的 {done} 幀將會捨棄。</translation>
    </message>
    <message>
        <source>this file {rest}</source>
        <translation>這個檔案 {rest}</translation>
    </message>
    <message>
        <source>Opening the file and loading the models…</source>
        <translation>正在開啟檔案並載入模型…</translation>
    </message>
    <message>
        <source>{done} of {expected} frames</source>
        <translation>{done} / {expected} 幀</translation>
    </message>
    <message>
        <source>{done} frames</source>
        <translation>{done} 幀</translation>
    </message>
    <message>
        <source>sound {kind}</source>
        <translation>聲音 {kind}</translation>
    </message>
    <message>
        <source>{count} subtitles</source>
        <translation>{count} 條字幕</translation>
    </message>
    <message>
        <source>no sound</source>
        <translation>無聲音</translation>
    </message>
    <message>
        <source>variable rate</source>
        <translation>變動幀率</translation>
    </message>
    <message>
        <source>rate unknown</source>
        <translation>幀率未知</translation>
    </message>
    <message>
        <source>number of frames unknown</source>
        <translation>幀數未知</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>還剩 {time}</translation>
    </message>
    <message>
        <source>{name} and {count} more</source>
        <translation>{name} 等，另有 {count} 個</translation>
    </message>
    <message>
        <source>{done} frames in {time}</source>
        <translation>{done} 幀，耗時 {time}</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>Resumes</source>
        <translation>將接續</translation>
    </message>
    <message>
        <source>{done} frames are kept: Try again resumes after them.</source>
        <translation>已保留 {done} 幀：「再試一次」會從其後接續。</translation>
    </message>
    <message>
        <source>{done} frames were finished before a break: it resumes after them.</source>
        <translation>中斷前已完成 {done} 幀：將從其後接續。</translation>
    </message>
    <message>
        <source>resumed after frame {number}</source>
        <translation>從第 {number} 幀之後接續</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 小時 {minutes} 分</translation>
    </message>
    <message>
        <source>An earlier run was different: {difference}</source>
        <translation>先前的處理方式不同：{difference}</translation>
    </message>
    <message>
        <source>Written: {path}</source>
        <translation>已寫入：{path}</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n 個檔案</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} done</source>
        <translation>{count} 個完成</translation>
    </message>
    <message>
        <source>{count} incomplete</source>
        <translation>{count} 個未完成</translation>
    </message>
    <message>
        <source>{count} failed</source>
        <translation>{count} 個失敗</translation>
    </message>
    <message>
        <source>{count} cancelled</source>
        <translation>{count} 個已取消</translation>
    </message>
    <message>
        <source>File {number} of {count}</source>
        <translation>第 {number} 個檔案，共 {count} 個</translation>
    </message>
    <message>
        <source>{time} left for all</source>
        <translation>全部還剩 {time}</translation>
    </message>
    <message>
        <source>more than {time} left for all</source>
        <translation>全部還剩超過 {time}</translation>
    </message>
    <message>
        <source>{head}, paused</source>
        <translation>{head}，已暫停</translation>
    </message>
    <message>
        <source>{count} ready</source>
        <translation>{count} 個就緒</translation>
    </message>
    <message>
        <source>Screenshots</source>
        <translation>截圖張數</translation>
    </message>
    <message>
        <source>One every</source>
        <translation>每隔</translation>
    </message>
    <message>
        <source>takes {seconds} s</source>
        <translation>需時 {seconds} 秒</translation>
    </message>
    <message>
        <source>Performance strip</source>
        <translation>效能列</translation>
    </message>
    <message>
        <source>Pause or save what the strip shows</source>
        <translation>暫停或儲存效能列的內容</translation>
    </message>
    <message>
        <source>More about the performance strip</source>
        <translation>更多效能列選項</translation>
    </message>
    <message>
        <source>Milliseconds of all tasks together. Tasks run side by side, so a frame may be ready sooner.</source>
        <translation>所有任務合計的毫秒數。任務同時進行，所以一幀可能更早完成。</translation>
    </message>
    <message>
        <source>{seconds} s ago</source>
        <translation>{seconds} 秒前</translation>
    </message>
    <message>
        <source>Work per frame, last {seconds} s</source>
        <translation>每幀工作量，最近 {seconds} 秒</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Speed ([ slower, ] faster)</source>
        <translation>速度（[ 放慢，] 加快）</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>file</source>
        <translation>檔案</translation>
    </message>
    <message>
        <source>pictures</source>
        <translation>圖片</translation>
    </message>
    <message>
        <source>demo clip</source>
        <translation>示範短片</translation>
    </message>
    <message>
        <source>camera</source>
        <translation>攝影機</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>串流</translation>
    </message>
    <message>
        <source>Face</source>
        <translation>臉部</translation>
    </message>
    <message>
        <source>Person</source>
        <translation>人物</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>{noun} plays at {fps} fps</source>
        <translation>{noun}以 {fps} fps 播放</translation>
    </message>
    <message>
        <source>{noun} gives {fps} fps</source>
        <translation>{noun}提供 {fps} fps</translation>
    </message>
    <message>
        <source>both pipelines share the time</source>
        <translation>兩條管線共用時間</translation>
    </message>
    <message>
        <source>drawing takes {ms} ms a frame</source>
        <translation>繪製每幀需 {ms} ms</translation>
    </message>
    <message>
        <source>{task} is {share}% of the work</source>
        <translation>{task}佔工作量的 {share}%</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自動</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>擷取</translation>
    </message>
    <message>
        <source>Preprocess</source>
        <translation>前處理</translation>
    </message>
    <message>
        <source>Inference</source>
        <translation>推論</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解碼</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>繪製</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>丟幀</translation>
    </message>
    <message>
        <source>File</source>
        <translation>檔案</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>編輯</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>執行</translation>
    </message>
    <message>
        <source>Playback</source>
        <translation>播放控制</translation>
    </message>
    <message>
        <source>View</source>
        <translation>檢視</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>說明</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>開啟檔案…</translation>
    </message>
    <message>
        <source>Open folder of pictures…</source>
        <translation>開啟圖片資料夾…</translation>
    </message>
    <message>
        <source>Play the demo</source>
        <translation>播放示範</translation>
    </message>
    <message>
        <source>You can also drop a file here. Nothing you show leaves this machine.</source>
        <translation>也可以把檔案拖到這裡。您顯示的內容都不會離開這台電腦。</translation>
    </message>
    <message>
        <source>Looking for a camera…</source>
        <translation>正在尋找攝影機…</translation>
    </message>
    <message>
        <source>The demo needs none.</source>
        <translation>示範不需要攝影機。</translation>
    </message>
    <message>
        <source>No camera found</source>
        <translation>找不到攝影機</translation>
    </message>
    <message>
        <source>Connect one and look again, play the demo, or open a file of your own.</source>
        <translation>請接上攝影機後再找一次、播放示範，或開啟您的檔案。</translation>
    </message>
    <message>
        <source>Opening {}…</source>
        <translation>正在開啟 {}…</translation>
    </message>
    <message>
        <source>The models load at the same time.</source>
        <translation>同時載入模型。</translation>
    </message>
    <message>
        <source>{} cannot be shown</source>
        <translation>無法顯示 {}</translation>
    </message>
    <message>
        <source>Choose another one, or see what the demo does.</source>
        <translation>請選擇其他來源，或看看示範。</translation>
    </message>
    <message>
        <source>{} is ready</source>
        <translation>{} 已就緒</translation>
    </message>
    <message>
        <source>Press Space to start.</source>
        <translation>按空白鍵開始。</translation>
    </message>
    <message numerus="yes">
        <source>%n more file(s): the window plays one at a time.</source>
        <translation>
            <numerusform>還有 %n 個檔案：視窗一次播放一個。</numerusform>
        </translation>
    </message>
    <message>
        <source>Process files…</source>
        <translation>處理檔案…</translation>
    </message>
    <message>
        <source>Save screenshot</source>
        <translation>儲存截圖</translation>
    </message>
    <message>
        <source>Save screenshot and all layers</source>
        <translation>儲存截圖與所有圖層</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>複製畫面</translation>
    </message>
    <message>
        <source>Record without drawings</source>
        <translation>錄影（不含繪圖）</translation>
    </message>
    <message>
        <source>Virtual camera</source>
        <translation>虛擬攝影機</translation>
    </message>
    <message>
        <source>Figures on screenshots and recordings</source>
        <translation>截圖與錄影加上數據</translation>
    </message>
    <message>
        <source>Folder for screenshots and recordings…</source>
        <translation>截圖與錄影的資料夾…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>結束</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Opening {name}…</source>
        <translation>正在開啟 {name}…</translation>
    </message>
    <message>
        <source>Paused. Press P to go on.</source>
        <translation>已暫停。按 P 繼續。</translation>
    </message>
    <message>
        <source>Stopped. Press Space to start.</source>
        <translation>已停止。按空白鍵開始。</translation>
    </message>
    <message>
        <source>Stopped. Press Space to try again.</source>
        <translation>已停止。按空白鍵再試一次。</translation>
    </message>
    <message>
        <source>Loading B, {pipeline}…</source>
        <translation>正在載入 B（{pipeline}）…</translation>
    </message>
    <message>
        <source>Loading the models…</source>
        <translation>正在載入模型…</translation>
    </message>
    <message>
        <source>trying {trial}…</source>
        <translation>正在試用 {trial}…</translation>
    </message>
    <message>
        <source>One frame back</source>
        <translation>後退一幀</translation>
    </message>
    <message>
        <source>10 seconds back</source>
        <translation>後退 10 秒</translation>
    </message>
    <message>
        <source>Slower</source>
        <translation>放慢</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>加快</translation>
    </message>
    <message>
        <source>Auto pipeline</source>
        <translation>自動管線</translation>
    </message>
    <message>
        <source>CPU pipeline</source>
        <translation>CPU 管線</translation>
    </message>
    <message>
        <source>GPU pipeline</source>
        <translation>GPU 管線</translation>
    </message>
    <message>
        <source>Compare: off, split, take turns</source>
        <translation>比較：關閉、分割、輪流</translation>
    </message>
    <message>
        <source>Benchmark…</source>
        <translation>效能測試…</translation>
    </message>
    <message>
        <source>Diagnostics…</source>
        <translation>診斷…</translation>
    </message>
    <message>
        <source>Look for cameras again</source>
        <translation>重新尋找攝影機</translation>
    </message>
    <message>
        <source>Figures: off, compact, full</source>
        <translation>數據：關閉、精簡、完整</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任務</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>畫面</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>後端</translation>
    </message>
    <message>
        <source>Face opacity</source>
        <translation>臉部不透明度</translation>
    </message>
    <message>
        <source>Person opacity</source>
        <translation>人物不透明度</translation>
    </message>
    <message>
        <source>Depth opacity</source>
        <translation>深度不透明度</translation>
    </message>
    <message>
        <source>Look for at most so many faces</source>
        <translation>最多找這麼多張臉</translation>
    </message>
    <message>
        <source>Where to save</source>
        <translation>輸出位置</translation>
    </message>
    <message>
        <source>What to write</source>
        <translation>輸出項目</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>偵測項目</translation>
    </message>
    <message>
        <source>Output folder</source>
        <translation>輸出資料夾</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>資料夾</translation>
    </message>
    <message>
        <source>Existing files</source>
        <translation>既有檔案</translation>
    </message>
    <message>
        <source>If it exists</source>
        <translation>若已存在</translation>
    </message>
    <message>
        <source>Annotated video or picture</source>
        <translation>標註後的影片或圖片</translation>
    </message>
    <message>
        <source>The results drawn on every frame, or the effect</source>
        <translation>每幀畫上結果或特效</translation>
    </message>
    <message>
        <source>Video format</source>
        <translation>影片格式</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Video quality</source>
        <translation>影片畫質</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>畫質</translation>
    </message>
    <message>
        <source>Sound and subtitles</source>
        <translation>聲音與字幕</translation>
    </message>
    <message>
        <source>Brought over, without encoding them anew where that is possible</source>
        <translation>直接帶入，盡可能不重新編碼</translation>
    </message>
    <message>
        <source>Results file</source>
        <translation>結果檔</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>Layers, a picture for every frame</source>
        <translation>圖層，每幀一張圖片</translation>
    </message>
    <message>
        <source>Max faces</source>
        <translation>臉數上限</translation>
    </message>
    <message>
        <source>Steady results over time</source>
        <translation>讓結果隨時間保持穩定</translation>
    </message>
    <message>
        <source>Smooth landmarks, masks and depth from frame to frame</source>
        <translation>逐幀平滑特徵點、遮罩與深度</translation>
    </message>
    <message>
        <source>Folder for what is written</source>
        <translation>輸出的資料夾</translation>
    </message>
    <message>
        <source>This format has no quality setting</source>
        <translation>這種格式沒有畫質設定</translation>
    </message>
    <message>
        <source>Needs the task {task}</source>
        <translation>需要「{task}」任務</translation>
    </message>
    <message>
        <source>Mirror cameras</source>
        <translation>攝影機鏡像</translation>
    </message>
    <message>
        <source>Only what you see is mirrored; what is saved stays true (M)</source>
        <translation>只鏡像您看到的畫面；儲存的內容不變 (M)</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>不透明度</translation>
    </message>
    <message>
        <source>Show fewer</source>
        <translation>顯示較少</translation>
    </message>
    <message>
        <source>Show {count} not usable here</source>
        <translation>顯示 {count} 個無法使用的後端</translation>
    </message>
    <message>
        <source>One task has to stay on</source>
        <translation>至少要開啟一項任務</translation>
    </message>
    <message>
        <source>An effect shows the person already</source>
        <translation>特效已經顯示人物</translation>
    </message>
    <message>
        <source>Needs the task Person</source>
        <translation>需要「人物」任務</translation>
    </message>
    <message>
        <source>Trying {backend}, so that Auto knows what is fastest here…</source>
        <translation>正在試用 {backend}，讓「自動」知道此處哪個最快…</translation>
    </message>
    <message>
        <source>Asking the backends…</source>
        <translation>正在詢問後端…</translation>
    </message>
    <message>
        <source>Not tried yet: choose it to try it</source>
        <translation>尚未試過：選取即可試用</translation>
    </message>
    <message>
        <source>Not usable here: {reason}</source>
        <translation>無法在此使用：{reason}</translation>
    </message>
    <message>
        <source>Side panel</source>
        <translation>側邊面板</translation>
    </message>
    <message>
        <source>Save the figures as CSV…</source>
        <translation>將數據存成 CSV…</translation>
    </message>
    <message>
        <source>Save the chart as PNG…</source>
        <translation>將圖表存成 PNG…</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>縮放</translation>
    </message>
    <message>
        <source>Turn the relief left</source>
        <translation>浮雕向左轉</translation>
    </message>
    <message>
        <source>Turn the relief right</source>
        <translation>浮雕向右轉</translation>
    </message>
    <message>
        <source>Turn the relief up</source>
        <translation>浮雕向上轉</translation>
    </message>
    <message>
        <source>Turn the relief down</source>
        <translation>浮雕向下轉</translation>
    </message>
    <message>
        <source>Reset the angle</source>
        <translation>重設角度</translation>
    </message>
    <message>
        <source>Look closely at the next face</source>
        <translation>近看下一張臉</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全螢幕</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外觀</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>淺色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>An address begins with rtsp://, http:// or https://.</source>
        <translation>位址以 rtsp://、http:// 或 https:// 開頭。</translation>
    </message>
    <message>
        <source>An address has no spaces in it.</source>
        <translation>位址中不能有空格。</translation>
    </message>
    <message>
        <source>This address is not valid: check the host and the port.</source>
        <translation>這個位址無效：請檢查主機與連接埠。</translation>
    </message>
    <message>
        <source>The host is missing, such as 192.168.1.20.</source>
        <translation>缺少主機，例如 192.168.1.20。</translation>
    </message>
    <message>
        <source>Open network camera</source>
        <translation>開啟網路攝影機</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>位址</translation>
    </message>
    <message>
        <source>User name</source>
        <translation>使用者名稱</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密碼</translation>
    </message>
    <message>
        <source>Picture of the camera</source>
        <translation>攝影機的畫面</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>測試</translation>
    </message>
    <message>
        <source>Fetch one picture, without opening the camera here</source>
        <translation>只取得一張畫面，不在此開啟攝影機</translation>
    </message>
    <message>
        <source>Twinlens connects to this address only. User name and password are never saved: they are forgotten when Twinlens closes.</source>
        <translation>Twinlens 只連線到這個位址，不會連到其他地方。使用者名稱與密碼不會寫入任何地方，關閉程式後即忘記。</translation>
    </message>
    <message>
        <source>“Test” shows a picture here.</source>
        <translation>按「測試」會在此顯示畫面。</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在連線…</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>鍵盤快速鍵</translation>
    </message>
    <message>
        <source>About {app}</source>
        <translation>關於 {app}</translation>
    </message>
    <message>
        <source>Face landmarks, person segmentation and depth on this machine, live, with honest figures.

No frame leaves this machine. Free software under the Apache License 2.0.</source>
        <translation>在這台電腦上即時偵測臉部特徵點、分割人物、估計深度，數據誠實。

任何畫面都不會離開這台電腦。以 Apache License 2.0 授權的自由軟體。</translation>
    </message>
    <message>
        <source>Open network camera…</source>
        <translation>開啟網路攝影機…</translation>
    </message>
    <message>
        <source>Pause the picture</source>
        <translation>暫停畫面</translation>
    </message>
    <message>
        <source>One frame forward</source>
        <translation>前進一幀</translation>
    </message>
    <message>
        <source>10 seconds forward</source>
        <translation>前進 10 秒</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循環播放</translation>
    </message>
    <message>
        <source>Corner of the figures</source>
        <translation>數據的位置</translation>
    </message>
    <message>
        <source>Top left</source>
        <translation>左上</translation>
    </message>
    <message>
        <source>Top right</source>
        <translation>右上</translation>
    </message>
    <message>
        <source>Bottom left</source>
        <translation>左下</translation>
    </message>
    <message>
        <source>Bottom right</source>
        <translation>右下</translation>
    </message>
    <message>
        <source>Strip options</source>
        <translation>效能列選項</translation>
    </message>
    <message>
        <source>Pause the strip</source>
        <translation>暫停效能列</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>縮小</translation>
    </message>
    <message>
        <source>Fit the window</source>
        <translation>完整顯示</translation>
    </message>
    <message>
        <source>Fill the window, edges cut off</source>
        <translation>填滿視窗，裁去邊緣</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>實際大小</translation>
    </message>
    <message>
        <source>Relief</source>
        <translation>浮雕</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>語言</translation>
    </message>
    <message>
        <source>Follow the system</source>
        <translation>依照系統</translation>
    </message>
    <message>
        <source>System language</source>
        <translation>系統語言</translation>
    </message>
    <message>
        <source>English</source>
        <translation>English</translation>
    </message>
    <message>
        <source>繁體中文</source>
        <translation>繁體中文</translation>
    </message>
    <message>
        <source>简体中文</source>
        <translation>简体中文</translation>
    </message>
    <message>
        <source>About Twinlens</source>
        <translation>關於 Twinlens</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>樣式</translation>
    </message>
    <message>
        <source>Face style</source>
        <translation>臉部樣式</translation>
    </message>
    <message>
        <source>Contours</source>
        <translation>輪廓</translation>
    </message>
    <message>
        <source>Outline, brows, eyes, irises and lips</source>
        <translation>臉型、眉、眼、虹膜與嘴唇</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>網格</translation>
    </message>
    <message>
        <source>The whole mesh as a fine net</source>
        <translation>整個網格畫成細網</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>點</translation>
    </message>
    <message>
        <source>Every landmark as a dot</source>
        <translation>每個特徵點畫成一點</translation>
    </message>
    <message>
        <source>Box</source>
        <translation>外框</translation>
    </message>
    <message>
        <source>Corners around the face, and its score</source>
        <translation>臉部四角與分數</translation>
    </message>
    <message>
        <source>Glasses</source>
        <translation>眼鏡</translation>
    </message>
    <message>
        <source>Glasses that turn with the head</source>
        <translation>隨頭部轉動的眼鏡</translation>
    </message>
    <message>
        <source>Hat</source>
        <translation>帽子</translation>
    </message>
    <message>
        <source>A hat that turns with the head</source>
        <translation>隨頭部轉動的帽子</translation>
    </message>
    <message>
        <source>Not drawn</source>
        <translation>不畫出</translation>
    </message>
    <message>
        <source>Analysed, but not drawn</source>
        <translation>有分析，但不畫出</translation>
    </message>
    <message>
        <source>Person style</source>
        <translation>人物樣式</translation>
    </message>
    <message>
        <source>Tint</source>
        <translation>上色</translation>
    </message>
    <message>
        <source>The person tinted and outlined</source>
        <translation>人物上色並描邊</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>描邊</translation>
    </message>
    <message>
        <source>Only a line around the person</source>
        <translation>只描出人物的邊緣</translation>
    </message>
    <message>
        <source>Spotlight</source>
        <translation>聚光</translation>
    </message>
    <message>
        <source>The person in colour, the rest grey and dark</source>
        <translation>人物彩色，其餘灰暗</translation>
    </message>
    <message>
        <source>Cut-out</source>
        <translation>去背</translation>
    </message>
    <message>
        <source>The person on a plain dark background</source>
        <translation>人物在單純的深色背景上</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>顏色</translation>
    </message>
    <message>
        <source>Person colour</source>
        <translation>人物顏色</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>紫色</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>藍色</translation>
    </message>
    <message>
        <source>Rose</source>
        <translation>玫瑰色</translation>
    </message>
    <message>
        <source>White</source>
        <translation>白色</translation>
    </message>
    <message>
        <source>Show as</source>
        <translation>顯示方式</translation>
    </message>
    <message>
        <source>Depth view</source>
        <translation>深度顯示方式</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自動選擇</translation>
    </message>
    <message>
        <source>In the corner; over the picture when nothing else is on</source>
        <translation>在角落；沒有其他任務時蓋滿畫面</translation>
    </message>
    <message>
        <source>In the corner</source>
        <translation>在角落</translation>
    </message>
    <message>
        <source>A small picture at the lower right</source>
        <translation>右下角的小圖</translation>
    </message>
    <message>
        <source>Whole picture</source>
        <translation>整個畫面</translation>
    </message>
    <message>
        <source>Over the whole picture</source>
        <translation>蓋滿整個畫面</translation>
    </message>
    <message>
        <source>The picture as a relief; turn it with the right mouse button, or Alt and an arrow key</source>
        <translation>把畫面顯示成浮雕；按住滑鼠右鍵拖曳，或用 Alt 加方向鍵轉動</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Depth colours</source>
        <translation>深度配色</translation>
    </message>
    <message>
        <source>Inferno</source>
        <translation>Inferno</translation>
    </message>
    <message>
        <source>Black, red, yellow; even steps</source>
        <translation>黑、紅、黃；均勻漸層</translation>
    </message>
    <message>
        <source>Magma</source>
        <translation>Magma</translation>
    </message>
    <message>
        <source>Black, purple, cream; even steps</source>
        <translation>黑、紫、米色；均勻漸層</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Blue, green, yellow; even steps</source>
        <translation>藍、綠、黃；均勻漸層</translation>
    </message>
    <message>
        <source>Turbo</source>
        <translation>Turbo</translation>
    </message>
    <message>
        <source>Rainbow; more detail, uneven steps</source>
        <translation>彩虹；細節較多，漸層不均勻</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰階</translation>
    </message>
    <message>
        <source>Near is white</source>
        <translation>近處為白</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>特效</translation>
    </message>
    <message>
        <source>Beside each file</source>
        <translation>在各檔案旁邊</translation>
    </message>
    <message>
        <source>Into the folder that the file itself is in</source>
        <translation>放進檔案本身所在的資料夾</translation>
    </message>
    <message>
        <source>Everything into one folder</source>
        <translation>全部放進同一個資料夾</translation>
    </message>
    <message>
        <source>Add a number</source>
        <translation>加上編號</translation>
    </message>
    <message>
        <source>clip.twinlens.mp4 stays, and clip-2.twinlens.mp4 is written</source>
        <translation>保留 clip.twinlens.mp4，另外寫入 clip-2.twinlens.mp4</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>取代</translation>
    </message>
    <message>
        <source>What an earlier run has written is replaced; the files of the list never are</source>
        <translation>取代先前輸出的檔案；清單中的檔案絕不會被取代</translation>
    </message>
    <message>
        <source>H.264, plays everywhere</source>
        <translation>H.264，到處都能播放</translation>
    </message>
    <message>
        <source>H.264, holds any sound and subtitles</source>
        <translation>H.264，可容納任何聲音與字幕</translation>
    </message>
    <message>
        <source>H.264; with a transparent background ProRes 4444</source>
        <translation>H.264；背景透明時用 ProRes 4444</translation>
    </message>
    <message>
        <source>VP9; can have a transparent background</source>
        <translation>VP9；背景可以透明</translation>
    </message>
    <message>
        <source>256 colours, no sound; large</source>
        <translation>256 色，無聲音；檔案大</translation>
    </message>
    <message>
        <source>PNG, a file for every frame, in a folder</source>
        <translation>PNG，每幀一個檔案，放在資料夾中</translation>
    </message>
    <message>
        <source>Highest</source>
        <translation>最高</translation>
    </message>
    <message>
        <source>Large files: 14 on the scale of H.264</source>
        <translation>檔案大：H.264 的刻度 14</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Hard to tell from the source: 20 on the scale of H.264</source>
        <translation>和原檔難以分辨：H.264 的刻度 20</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>Smaller files: 26 on the scale of H.264</source>
        <translation>檔案較小：H.264 的刻度 26</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>Small files: 32 on the scale of H.264</source>
        <translation>檔案小：H.264 的刻度 32</translation>
    </message>
    <message>
        <source>Transparent</source>
        <translation>透明</translation>
    </message>
    <message>
        <source>The person alone, for editing: WebM, QuickTime or numbered pictures</source>
        <translation>只有人物，供剪輯使用：WebM、QuickTime 或編號圖片</translation>
    </message>
    <message>
        <source>None</source>
        <translation>無</translation>
    </message>
    <message>
        <source>Write no numbers</source>
        <translation>不輸出數據</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON Lines</translation>
    </message>
    <message>
        <source>Everything that was found, a line for every frame</source>
        <translation>找到的所有內容，每幀一行</translation>
    </message>
    <message>
        <source>Table (CSV)</source>
        <translation>表格 (CSV)</translation>
    </message>
    <message>
        <source>For spreadsheets, a line for every frame</source>
        <translation>供試算表使用，每幀一行</translation>
    </message>
    <message>
        <source>Annotated frames, PNG</source>
        <translation>標註後的每一幀，PNG</translation>
    </message>
    <message>
        <source>Annotated frame</source>
        <translation>標註畫面</translation>
    </message>
    <message>
        <source>Person mask</source>
        <translation>人物遮罩</translation>
    </message>
    <message>
        <source>PNG, 8 bits, 255 is the person</source>
        <translation>PNG，8 位元，255 為人物</translation>
    </message>
    <message>
        <source>Depth map</source>
        <translation>深度圖</translation>
    </message>
    <message>
        <source>PNG, 16 bits, bigger is nearer</source>
        <translation>PNG，16 位元，數值越大越近</translation>
    </message>
    <message>
        <source>Blur</source>
        <translation>模糊</translation>
    </message>
    <message>
        <source>The background out of focus</source>
        <translation>背景失焦</translation>
    </message>
    <message>
        <source>Portrait</source>
        <translation>人像</translation>
    </message>
    <message>
        <source>Out of focus with the distance, as a fast lens does; better with depth on</source>
        <translation>像大光圈鏡頭一樣，越遠越模糊；開啟深度效果更好</translation>
    </message>
    <message>
        <source>Green screen</source>
        <translation>綠幕</translation>
    </message>
    <message>
        <source>A plain green background, to be replaced elsewhere</source>
        <translation>單純的綠色背景，供其他軟體替換</translation>
    </message>
    <message>
        <source>A plain dark background</source>
        <translation>單純的深色背景</translation>
    </message>
    <message>
        <source>Picture…</source>
        <translation>圖片…</translation>
    </message>
    <message>
        <source>A picture of yours as the background</source>
        <translation>用您自己的圖片當背景</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model for landmarks</source>
        <translation>特徵點模型</translation>
    </message>
    <message>
        <source>478 points</source>
        <translation>478 點</translation>
    </message>
    <message>
        <source>468 points</source>
        <translation>468 點</translation>
    </message>
    <message>
        <source>Model for mask</source>
        <translation>遮罩模型</translation>
    </message>
    <message>
        <source>Landscape</source>
        <translation>橫向</translation>
    </message>
    <message>
        <source>Square</source>
        <translation>方形</translation>
    </message>
    <message>
        <source>shown {fps} fps</source>
        <translation>顯示 {fps} fps</translation>
    </message>
    <message>
        <source>CPU {share}%</source>
        <translation>CPU {share}%</translation>
    </message>
    <message>
        <source>measuring…</source>
        <translation>測量中…</translation>
    </message>
    <message>
        <source>no new frames</source>
        <translation>沒有新的幀</translation>
    </message>
    <message>
        <source>A runs its tasks side by side, B one by one</source>
        <translation>A 的任務同時進行，B 的逐一進行</translation>
    </message>
    <message>
        <source>B runs its tasks side by side, A one by one</source>
        <translation>B 的任務同時進行，A 的逐一進行</translation>
    </message>
    <message>
        <source>as fast</source>
        <translation>一樣快</translation>
    </message>
    <message>
        <source>{times} faster</source>
        <translation>{times} 速度</translation>
    </message>
    <message>
        <source>Landmarks</source>
        <translation>特徵點</translation>
    </message>
    <message>
        <source>not the same faces</source>
        <translation>不是相同的臉</translation>
    </message>
    <message>
        <source>Mask IoU</source>
        <translation>遮罩 IoU</translation>
    </message>
    <message>
        <source>Depth correlation</source>
        <translation>深度相關</translation>
    </message>
    <message numerus="yes">
        <source>Agreement, 1 is complete: {value}, the median of %n frame(s) that were compared</source>
        <translation>
            <numerusform>一致程度（1 為完全一致）：{value}，取自比較過的 %n 幀的中位數</numerusform>
        </translation>
    </message>
    <message>
        <source>no other backend can be used here</source>
        <translation>此處沒有其他可用的後端</translation>
    </message>
    <message>
        <source>There is nothing to compare with: {why}</source>
        <translation>沒有可以比較的對象：{why}</translation>
    </message>
    <message>
        <source>{pipeline} cannot be compared with: {reason}.</source>
        <translation>無法和 {pipeline} 比較：{reason}。</translation>
    </message>
    <message>
        <source>no {pipeline} backend is installed</source>
        <translation>沒有安裝 {pipeline} 後端</translation>
    </message>
    <message>
        <source>none of the {count} {pipeline} backends can be used</source>
        <translation>{count} 個 {pipeline} 後端都無法使用</translation>
    </message>
    <message>
        <source>Something unexpected happened inside Twinlens ({kind}); what works goes on.</source>
        <translation>Twinlens 內部發生意外狀況（{kind}）；其餘功能繼續運作。</translation>
    </message>
    <message>
        <source>No source</source>
        <translation>沒有來源</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>示範</translation>
    </message>
    <message>
        <source>Camera</source>
        <translation>攝影機</translation>
    </message>
    <message>
        <source>Camera {name}</source>
        <translation>攝影機 {name}</translation>
    </message>
    <message>
        <source>{fps} fps</source>
        <translation>{fps} fps</translation>
    </message>
    <message>
        <source>{fps} of {asked} fps</source>
        <translation>{fps}／{asked} fps</translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s)</source>
        <translation>
            <numerusform>%n 張圖片</numerusform>
        </translation>
    </message>
    <message>
        <source>the camera&apos;s choice</source>
        <translation>由攝影機決定</translation>
    </message>
    <message>
        <source>Asked for: {mode}</source>
        <translation>要求：{mode}</translation>
    </message>
    <message>
        <source>The camera says: {mode}</source>
        <translation>攝影機回報：{mode}</translation>
    </message>
    <message>
        <source>Measured: {fps} fps</source>
        <translation>實測：{fps} fps</translation>
    </message>
    <message>
        <source>Less about {name}</source>
        <translation>收起{name}</translation>
    </message>
    <message>
        <source>More about {name}</source>
        <translation>展開{name}</translation>
    </message>
    <message>
        <source>Divider between A and B</source>
        <translation>A 與 B 的分隔線</translation>
    </message>
    <message>
        <source>Drag to see more of A or B; a double click puts it in the middle</source>
        <translation>拖曳以多看 A 或 B；按兩下回到中間</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>可達幀率</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位數</translation>
    </message>
    <message>
        <source>{capacity} fps</source>
        <translation>{capacity} fps</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>詳細資料</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>關閉這則訊息</translation>
    </message>
    <message>
        <source>Details of the message</source>
        <translation>訊息的詳細資料</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>複製詳細資料</translation>
    </message>
    <message>
        <source>{count} times</source>
        <translation>{count} 次</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>另有 {count} 則</translation>
    </message>
    <message>
        <source>Hide details</source>
        <translation>隱藏詳細資料</translation>
    </message>
    <message>
        <source>{id} (not tried yet)</source>
        <translation>{id}（尚未試過）</translation>
    </message>
    <message>
        <source>{id} (software)</source>
        <translation>{id}（軟體模擬）</translation>
    </message>
    <message>
        <source>Will be tried on this machine first</source>
        <translation>會先在這台電腦上試用</translation>
    </message>
    <message>
        <source>The fastest backend that works here</source>
        <translation>此處可用的最快後端</translation>
    </message>
    <message>
        <source>The best backend on the processor</source>
        <translation>處理器上最好的後端</translation>
    </message>
    <message>
        <source>The best backend on the graphics card</source>
        <translation>顯示卡上最好的後端</translation>
    </message>
    <message>
        <source>What Twinlens looks at</source>
        <translation>Twinlens 看的來源</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>來源</translation>
    </message>
    <message>
        <source>Cameras</source>
        <translation>攝影機清單</translation>
    </message>
    <message>
        <source>Looking for cameras…</source>
        <translation>正在尋找所有攝影機…</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>加入檔案…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>加入資料夾…</translation>
    </message>
    <message>
        <source>Add the videos and pictures of a folder</source>
        <translation>加入資料夾中的影片與圖片</translation>
    </message>
    <message>
        <source>Process the files that wait</source>
        <translation>處理等候中的檔案</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暫停</translation>
    </message>
    <message>
        <source>Pause between two frames, or go on</source>
        <translation>在兩幀之間暫停，或繼續</translation>
    </message>
    <message>
        <source>Nothing of it is kept</source>
        <translation>不留下任何內容</translation>
    </message>
    <message>
        <source>Take the selected files off the list; none is deleted</source>
        <translation>從清單移除選取的檔案；不會刪除檔案</translation>
    </message>
    <message>
        <source>Take finished files off the list; none is deleted</source>
        <translation>從清單移除已完成的檔案；不會刪除檔案</translation>
    </message>
    <message>
        <source>Cancel this file</source>
        <translation>取消這個檔案</translation>
    </message>
    <message>
        <source>Cancel all</source>
        <translation>全部取消</translation>
    </message>
    <message>
        <source>What is done stays</source>
        <translation>已完成的會保留</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Undo removal</source>
        <translation>復原移除</translation>
    </message>
    <message>
        <source>Put back what was taken off the list last</source>
        <translation>放回上次從清單移除的檔案</translation>
    </message>
    <message>
        <source>Retry failed</source>
        <translation>重試失敗項目</translation>
    </message>
    <message>
        <source>Put what failed back into the queue</source>
        <translation>把失敗的放回佇列</translation>
    </message>
    <message>
        <source>Clear done</source>
        <translation>清除已完成</translation>
    </message>
    <message>
        <source>Show result</source>
        <translation>顯示結果</translation>
    </message>
    <message>
        <source>Open what was written</source>
        <translation>開啟輸出的檔案</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在資料夾中顯示</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>開啟資料夾</translation>
    </message>
    <message>
        <source>Show what was written last in its folder</source>
        <translation>在資料夾中顯示最後輸出的檔案</translation>
    </message>
    <message>
        <source>Screenshot saved</source>
        <translation>已儲存截圖</translation>
    </message>
    <message numerus="yes">
        <source>Screenshot and %n layer(s) saved</source>
        <translation>
            <numerusform>已儲存截圖與 %n 個圖層</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare: off</source>
        <translation>不比較</translation>
    </message>
    <message>
        <source>One pipeline</source>
        <translation>單一管線</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分割</translation>
    </message>
    <message>
        <source>Both on the same picture: A left of the divider, B right of it</source>
        <translation>同一畫面：分隔線左邊是 A，右邊是 B</translation>
    </message>
    <message>
        <source>Take turns</source>
        <translation>輪流</translation>
    </message>
    <message>
        <source>The two take turns, so that both are measured under the same load</source>
        <translation>兩者輪流執行，讓兩邊在相同負載下測量</translation>
    </message>
    <message>
        <source>Size and rate to ask of the camera</source>
        <translation>向攝影機要求的尺寸與速率</translation>
    </message>
    <message>
        <source>Camera mode</source>
        <translation>攝影機模式</translation>
    </message>
    <message>
        <source>Start or stop (Space)</source>
        <translation>開始或停止（空白鍵）</translation>
    </message>
    <message>
        <source>A is amber everywhere: here, in the figures and in the strip below</source>
        <translation>A 一律是琥珀色：這裡、數據卡和下方的效能列都一樣</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>管線</translation>
    </message>
    <message>
        <source>Which backend runs the models (0 auto, 1 CPU, 2 GPU)</source>
        <translation>由哪個後端執行模型（0 自動、1 CPU、2 GPU）</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比較方式</translation>
    </message>
    <message>
        <source>Compare with a second pipeline on the same pictures (C)</source>
        <translation>以相同畫面和第二條管線比較 (C)</translation>
    </message>
    <message>
        <source>B is teal everywhere: here, in the figures and in the strip below</source>
        <translation>B 一律是藍綠色：這裡、數據卡和下方的效能列都一樣</translation>
    </message>
    <message>
        <source>Pipeline B</source>
        <translation>管線 B</translation>
    </message>
    <message>
        <source>Which backend the first one is compared with</source>
        <translation>和第一個後端比較的對象</translation>
    </message>
    <message>
        <source>Camera&apos;s choice</source>
        <translation>由攝影機決定</translation>
    </message>
    <message>
        <source>Videos and pictures</source>
        <translation>影片與圖片</translation>
    </message>
    <message>
        <source>Videos</source>
        <translation>影片</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>圖片</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有檔案</translation>
    </message>
    <message>
        <source>Open a video or picture</source>
        <translation>開啟影片或圖片</translation>
    </message>
    <message>
        <source>Open a folder of pictures</source>
        <translation>開啟圖片資料夾</translation>
    </message>
    <message>
        <source>Picture for the background</source>
        <translation>背景圖片</translation>
    </message>
    <message>
        <source>There is no picture to copy yet</source>
        <translation>還沒有畫面可以複製</translation>
    </message>
    <message>
        <source>Picture copied, {width} {times} {height}</source>
        <translation>已複製畫面，{width} {times} {height}</translation>
    </message>
    <message>
        <source>Folder for screenshots</source>
        <translation>截圖資料夾</translation>
    </message>
    <message>
        <source>the package pyvirtualcam is not installed: pip install twinlens[virtualcam]</source>
        <translation>沒有安裝 pyvirtualcam 套件：pip install twinlens[virtualcam]</translation>
    </message>
    <message>
        <source>the kernel module v4l2loopback is not loaded: modprobe v4l2loopback</source>
        <translation>沒有載入核心模組 v4l2loopback：modprobe v4l2loopback</translation>
    </message>
    <message>
        <source>Other programs can choose the picture as the camera {name}.</source>
        <translation>其他程式可以選擇攝影機 {name} 來使用這個畫面。</translation>
    </message>
    <message>
        <source>Stop the burst</source>
        <translation>停止連續截圖</translation>
    </message>
    <message>
        <source>Burst of screenshots…</source>
        <translation>連續截圖…</translation>
    </message>
    <message>
        <source>Screenshot {number} of {count} saved. B ends the burst.</source>
        <translation>已儲存第 {number} 張截圖，共 {count} 張。按 B 結束連續截圖。</translation>
    </message>
    <message>
        <source>{count} screenshots saved</source>
        <translation>已儲存 {count} 張截圖</translation>
    </message>
    <message>
        <source>{number} of {count} screenshots saved</source>
        <translation>已儲存 {number} 張截圖，共 {count} 張</translation>
    </message>
    <message>
        <source>There is no face to look at</source>
        <translation>沒有臉可以近看</translation>
    </message>
    <message>
        <source>score {score}, {count} points</source>
        <translation>分數 {score}，{count} 點</translation>
    </message>
    <message>
        <source>turned {yaw}°, raised {pitch}°</source>
        <translation>左右 {yaw}°，上下 {pitch}°</translation>
    </message>
    <message>
        <source>tilted {roll}°</source>
        <translation>傾斜 {roll}°</translation>
    </message>
    <message>
        <source>{person} {here} here, {all} of the picture</source>
        <translation>{person}：此處 {here}，占畫面 {all}</translation>
    </message>
    <message>
        <source>{ratio}{times} faster</source>
        <translation>{ratio}{times} 速度</translation>
    </message>
    <message>
        <source>{ratio}{times} slower</source>
        <translation>{ratio}{times} 耗時</translation>
    </message>
    <message>
        <source>{backend} (software)</source>
        <translation>{backend}（軟體模擬）</translation>
    </message>
    <message>
        <source>Latency of each model</source>
        <translation>各模型的延遲</translation>
    </message>
    <message>
        <source>Backend and model</source>
        <translation>後端與模型</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>運算</translation>
    </message>
    <message>
        <source>Left to the CPU</source>
        <translation>交給 CPU</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Backends and models</source>
        <translation>所有後端與模型</translation>
    </message>
    <message>
        <source>Try every backend with every model, whatever is known of them</source>
        <translation>不論已知結果，用每個模型試用每個後端</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>儲存…</translation>
    </message>
    <message>
        <source>The whole diagnosis, JSON</source>
        <translation>完整診斷，JSON</translation>
    </message>
    <message>
        <source>Copy report for an issue</source>
        <translation>複製報告供問題回報</translation>
    </message>
    <message>
        <source>Looking at this machine…</source>
        <translation>正在檢視這台電腦…</translation>
    </message>
    <message>
        <source>Save the diagnosis</source>
        <translation>儲存診斷</translation>
    </message>
    <message>
        <source>Report copied</source>
        <translation>已複製報告</translation>
    </message>
    <message>
        <source>Looking at {step}…</source>
        <translation>正在檢視 {step}…</translation>
    </message>
    <message>
        <source>left to the CPU</source>
        <translation>交給 CPU</translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation>效能測試</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>診斷</translation>
    </message>
    <message>
        <source>Add videos and pictures</source>
        <translation>加入影片與圖片</translation>
    </message>
    <message>
        <source>Drop videos, pictures or folders here</source>
        <translation>把影片、圖片或資料夾拖到這裡</translation>
    </message>
    <message>
        <source>Each becomes a new file; yours stay as they are. Nothing leaves this machine.</source>
        <translation>每個都會產生新檔案；您的檔案不會改變。任何內容都不會離開這台電腦。</translation>
    </message>
    <message>
        <source>Choose at least one task.</source>
        <translation>請至少選擇一項任務。</translation>
    </message>
    <message>
        <source>Choose at least one thing to write.</source>
        <translation>請至少選擇一項輸出。</translation>
    </message>
    <message>
        <source>The layer {layer} needs a task that is off.</source>
        <translation>圖層 {layer} 需要的任務沒有開啟。</translation>
    </message>
    <message>
        <source>{format} holds no transparency: choose another format.</source>
        <translation>{format} 不支援透明：請選擇其他格式。</translation>
    </message>
    <message>
        <source>The background can only be changed with the task Person.</source>
        <translation>只有開啟「人物」任務才能更換背景。</translation>
    </message>
    <message>
        <source>Numbered pictures</source>
        <translation>編號圖片</translation>
    </message>
    <message>
        <source>Process files</source>
        <translation>處理檔案</translation>
    </message>
    <message numerus="yes">
        <source>Stop processing? %n file(s) not done yet.</source>
        <translation>
            <numerusform>要停止處理嗎？還有 %n 個檔案未完成。</numerusform>
        </translation>
    </message>
    <message>
        <source>What is done stays; the file in progress can be resumed later.</source>
        <translation>已完成的會保留；處理中的檔案稍後可以接續。</translation>
    </message>
    <message>
        <source>Cancel {name}?</source>
        <translation>要取消 {name} 嗎？</translation>
    </message>
    <message>
        <source>{done} frames are done. Nothing of them is kept.</source>
        <translation>已完成 {done} 幀，取消後全部不保留。</translation>
    </message>
    <message>
        <source>Keep working</source>
        <translation>繼續工作</translation>
    </message>
    <message>
        <source>Files to process</source>
        <translation>要處理的檔案</translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation>從清單移除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Resume where it broke off</source>
        <translation>從中斷處接續</translation>
    </message>
    <message>
        <source>Incomplete</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}</source>
        <translation>無法讀取 {path}：{reason}</translation>
    </message>
    <message>
        <source>The files cannot be listed: {reason}.</source>
        <translation>無法列出檔案：{reason}。</translation>
    </message>
    <message>
        <source>{path} could not be processed: {reason}</source>
        <translation>無法處理 {path}：{reason}</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>繼續</translation>
    </message>
    <message>
        <source>Looking at what was added…</source>
        <translation>正在檢視加入的項目…</translation>
    </message>
    <message>
        <source>The options can be changed again when the queue has ended.</source>
        <translation>佇列結束後才能再變更選項。</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) taken off the list</source>
        <translation>
            <numerusform>已從清單移除 %n 個檔案</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>復原</translation>
    </message>
    <message>
        <source>Processed: {text}</source>
        <translation>處理完畢：{text}</translation>
    </message>
    <message>
        <source>Not changed: {reason}</source>
        <translation>未變更：{reason}</translation>
    </message>
    <message>
        <source>Not compared: {reason}</source>
        <translation>無法比較：{reason}</translation>
    </message>
    <message>
        <source>{sentence} Trying again…</source>
        <translation>{sentence}正在重試…</translation>
    </message>
    <message>
        <source>there is no such file or folder</source>
        <translation>沒有這個檔案或資料夾</translation>
    </message>
    <message>
        <source>{name}: there is no such file or folder</source>
        <translation>{name}：沒有這個檔案或資料夾</translation>
    </message>
    <message>
        <source>{name}: the folder holds no picture</source>
        <translation>{name}：資料夾裡沒有圖片</translation>
    </message>
    <message>
        <source>{name} is empty (0 bytes)</source>
        <translation>{name} 是空的（0 位元組）</translation>
    </message>
    <message>
        <source>{name} is a folder, not a file</source>
        <translation>{name} 是資料夾，不是檔案</translation>
    </message>
    <message>
        <source>{name} is damaged or incomplete: it cannot be decoded</source>
        <translation>{name} 已損壞或不完整，無法解碼</translation>
    </message>
    <message>
        <source>{name} is too large or damaged: it cannot be decoded</source>
        <translation>{name} 太大或已損壞，無法解碼</translation>
    </message>
    <message>
        <source>{name} is incomplete: its index is missing, as when a recording or a download was cut off</source>
        <translation>{name} 不完整：缺少索引，可能是錄製或下載中斷</translation>
    </message>
    <message>
        <source>{name} is incomplete: the file breaks off</source>
        <translation>{name} 不完整：檔案中途結束</translation>
    </message>
    <message>
        <source>{name} is not a video that can be read</source>
        <translation>{name} 不是可讀取的影片</translation>
    </message>
    <message>
        <source>{name} is not a picture that can be decoded</source>
        <translation>{name} 不是可解碼的圖片</translation>
    </message>
    <message>
        <source>{name} holds no video and no picture</source>
        <translation>{name} 裡沒有影片也沒有圖片</translation>
    </message>
    <message>
        <source>{name} holds no picture that can be decoded</source>
        <translation>{name} 裡沒有可解碼的畫面</translation>
    </message>
    <message>
        <source>{name} holds video in a coding that cannot be decoded</source>
        <translation>{name} 的影片編碼無法解碼</translation>
    </message>
    <message>
        <source>{name} holds sound but no video</source>
        <translation>{name} 只有聲音，沒有影像</translation>
    </message>
    <message>
        <source>{name} holds no video</source>
        <translation>{name} 裡沒有影像</translation>
    </message>
    <message>
        <source>{name} holds no picture</source>
        <translation>{name} 裡沒有畫面</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}</source>
        <translation>無法讀取 {name}：{reason}</translation>
    </message>
    <message>
        <source>{name} exists already (--overwrite replaces it)</source>
        <translation>{name} 已經存在（--overwrite 可取代）</translation>
    </message>
    <message>
        <source>{name} cannot be written: the folder {folder} does not exist</source>
        <translation>無法寫入 {name}：資料夾 {folder} 不存在</translation>
    </message>
    <message>
        <source>{name} cannot be written: {reason}</source>
        <translation>無法寫入 {name}：{reason}</translation>
    </message>
    <message>
        <source>the folder {name} cannot be made: {reason}</source>
        <translation>無法建立資料夾 {name}：{reason}</translation>
    </message>
    <message>
        <source>the folder {name} cannot be used: {reason}</source>
        <translation>無法使用資料夾 {name}：{reason}</translation>
    </message>
    <message>
        <source>there is no room for a recording in {folder}: {megabytes} MB are left</source>
        <translation>{folder} 的空間不足以錄影：剩下 {megabytes} MB</translation>
    </message>
    <message>
        <source>The recording was stopped: only {megabytes} MB are left on the disk.</source>
        <translation>錄影已停止：磁碟只剩 {megabytes} MB。</translation>
    </message>
    <message>
        <source>The settings file is damaged; the defaults are used.</source>
        <translation>設定檔已損壞，改用預設值。</translation>
    </message>
    <message>
        <source>The settings file was damaged and is kept as {name}; the defaults are used.</source>
        <translation>設定檔已損壞，另存為 {name}，改用預設值。</translation>
    </message>
    <message>
        <source>The settings file is of a later version of Twinlens; the defaults are used.</source>
        <translation>設定檔來自較新版本的 Twinlens，改用預設值。</translation>
    </message>
    <message>
        <source>The settings file is of a later version of Twinlens and is kept as {name}; the defaults are used.</source>
        <translation>設定檔來自較新版本的 Twinlens，另存為 {name}，改用預設值。</translation>
    </message>
    <message>
        <source>no camera was found: connect one, or choose a file or the demo</source>
        <translation>找不到攝影機：請接上一台，或選擇檔案或示範</translation>
    </message>
    <message>
        <source>there is no camera {number} (there is {known})</source>
        <translation>沒有攝影機 {number}（現有：{known}）</translation>
    </message>
    <message>
        <source>no camera is called {name} (there is {known})</source>
        <translation>沒有名為 {name} 的攝影機（現有：{known}）</translation>
    </message>
    <message>
        <source>{name} cannot be opened: another program may be using it, or access to it is not allowed</source>
        <translation>無法開啟 {name}：可能被其他程式使用，或沒有存取權限</translation>
    </message>
    <message>
        <source>{name} is open but gives no picture: another program may be using it</source>
        <translation>{name} 已開啟但沒有畫面：可能被其他程式使用</translation>
    </message>
    <message>
        <source>{name} stopped delivering pictures: was it unplugged?</source>
        <translation>{name} 不再傳送畫面：是否已拔除？</translation>
    </message>
    <message>
        <source>{name} repeats the same picture: its driver lost it</source>
        <translation>{name} 一直重複同一張畫面：驅動程式已失去連線</translation>
    </message>
    <message>
        <source>{name} has not delivered a picture for {seconds} s: is another program using it?</source>
        <translation>{name} 已有 {seconds} 秒沒有畫面：是否被其他程式使用？</translation>
    </message>
    <message>
        <source>{name} has not delivered a picture for {seconds} s: is it switched on and in the network?</source>
        <translation>{name} 已有 {seconds} 秒沒有畫面：是否已開機並連上網路？</translation>
    </message>
    <message>
        <source>asked for {fps} fps, the camera says it gives {given}</source>
        <translation>要求 {fps} fps，攝影機回報 {given}</translation>
    </message>
    <message>
        <source>asked for {mode}, the camera gives {given}</source>
        <translation>要求 {mode}，攝影機給出 {given}</translation>
    </message>
    <message>
        <source>{name} does not answer (waited {seconds} s)</source>
        <translation>{name} 沒有回應（等了 {seconds} 秒）</translation>
    </message>
    <message>
        <source>{name} sends no video</source>
        <translation>{name} 沒有傳送影像</translation>
    </message>
    <message>
        <source>{name} sends no picture (waited {seconds} s)</source>
        <translation>{name} 沒有傳送畫面（等了 {seconds} 秒）</translation>
    </message>
    <message>
        <source>{name} sends no picture that can be decoded</source>
        <translation>{name} 沒有傳送可解碼的畫面</translation>
    </message>
    <message>
        <source>{name} sends no picture</source>
        <translation>{name} 沒有傳送畫面</translation>
    </message>
    <message>
        <source>{name} cannot be opened: the address is not valid</source>
        <translation>無法開啟 {name}：位址無效</translation>
    </message>
    <message>
        <source>{name} cannot be opened: it names no host</source>
        <translation>無法開啟 {name}：其中沒有主機名稱</translation>
    </message>
    <message>
        <source>{name} cannot be opened: there is no host called {host}</source>
        <translation>無法開啟 {name}：沒有名為 {host} 的主機</translation>
    </message>
    <message>
        <source>{name} cannot be opened: the host {host} cannot be looked up (is this machine online?)</source>
        <translation>無法開啟 {name}：查不到主機 {host}（這台電腦有連上網路嗎？）</translation>
    </message>
    <message>
        <source>{name} cannot be opened: no encrypted connection can be made (is it {scheme}://?)</source>
        <translation>無法開啟 {name}：無法建立加密連線（是否應為 {scheme}://？）</translation>
    </message>
    <message>
        <source>{name} cannot be opened: the server has nothing at this address (404)</source>
        <translation>無法開啟 {name}：伺服器在此位址沒有任何內容 (404)</translation>
    </message>
    <message>
        <source>{name} cannot be opened: the server answers with an error ({code})</source>
        <translation>無法開啟 {name}：伺服器回應錯誤 ({code})</translation>
    </message>
    <message>
        <source>{name}: addresses of this kind cannot be opened (http, https and rtsp can)</source>
        <translation>{name}：無法開啟此類位址（可開啟 HTTP、HTTPS 與 RTSP）</translation>
    </message>
    <message>
        <source>{name} does not accept this user name and password</source>
        <translation>{name} 不接受此使用者名稱和密碼</translation>
    </message>
    <message>
        <source>{name} refuses the connection: nothing listens on port {port}</source>
        <translation>{name} 拒絕連線：連接埠 {port} 上沒有服務</translation>
    </message>
    <message>
        <source>{name} refuses the connection: nothing listens on its port</source>
        <translation>{name} 拒絕連線：其連接埠上沒有服務</translation>
    </message>
    <message>
        <source>{name} closes the connection without an answer</source>
        <translation>{name} 未回應便關閉連線</translation>
    </message>
    <message>
        <source>it broke off: {reason}</source>
        <translation>中斷了：{reason}</translation>
    </message>
    <message>
        <source>{name} broke off: {reason}</source>
        <translation>{name} 中斷：{reason}</translation>
    </message>
    <message>
        <source>the server closed it</source>
        <translation>伺服器關閉了連線</translation>
    </message>
    <message>
        <source>nothing came for {seconds} s</source>
        <translation>{seconds} 秒內沒有收到任何資料</translation>
    </message>
    <message>
        <source>the connection was lost ({reason})</source>
        <translation>連線中斷（{reason}）</translation>
    </message>
    <message>
        <source>{name} cannot be opened: {reason}</source>
        <translation>無法開啟 {name}：{reason}</translation>
    </message>
    <message>
        <source>{backend} cannot be used here: {reason}</source>
        <translation>此處無法使用 {backend}：{reason}</translation>
    </message>
    <message>
        <source>no {kind} can be used here: {reason}</source>
        <translation>此處沒有可用的 {kind}：{reason}</translation>
    </message>
    <message>
        <source>no GPU: the Vulkan loader found no driver for one</source>
        <translation>沒有 GPU：Vulkan 載入器找不到驅動程式</translation>
    </message>
    <message>
        <source>no GPU: the WebGPU plugin sees none, although a driver lists one</source>
        <translation>沒有 GPU：驅動程式列出了，但 WebGPU 外掛看不到</translation>
    </message>
    <message>
        <source>no GPU: the only adapter is {name}, which is software; set {variable} to use it as a test device</source>
        <translation>沒有 GPU：唯一的介面卡 {name} 是軟體模擬；設定 {variable} 可把它當測試裝置使用</translation>
    </message>
    <message>
        <source>no GPU: {reason}</source>
        <translation>沒有 GPU：{reason}</translation>
    </message>
    <message>
        <source>no Vulkan loader: {reason}</source>
        <translation>沒有 Vulkan 載入器：{reason}</translation>
    </message>
    <message>
        <source>no device: the plugin sees no GPU or other accelerator</source>
        <translation>沒有裝置：外掛看不到 GPU 或其他加速器</translation>
    </message>
    <message>
        <source>not installed: this onnxruntime build has no {provider}: {hint}</source>
        <translation>未安裝：這個 onnxruntime 版本沒有 {provider}：{hint}</translation>
    </message>
    <message>
        <source>not installed: {hint}</source>
        <translation>未安裝：{hint}</translation>
    </message>
    <message>
        <source>{provider} exists on {system} only</source>
        <translation>{provider} 只存在於 {system}</translation>
    </message>
    <message>
        <source>{model} does not load on {backend}: {reason}</source>
        <translation>{model} 無法在 {backend} 上載入：{reason}</translation>
    </message>
    <message>
        <source>{model} does not run on {backend}: {reason}</source>
        <translation>{model} 無法在 {backend} 上執行：{reason}</translation>
    </message>
    <message>
        <source>{model} failed on {backend}: {reason}</source>
        <translation>{model} 在 {backend} 上失敗：{reason}</translation>
    </message>
    <message>
        <source>its process crashed with {signal}</source>
        <translation>它的處理程序當掉了（{signal}）</translation>
    </message>
    <message>
        <source>its process ended with status {status}</source>
        <translation>它的處理程序以狀態 {status} 結束</translation>
    </message>
    <message>
        <source>{backend} runs {model} instead: {reason}</source>
        <translation>{backend} 改用 {model}：{reason}</translation>
    </message>
    <message>
        <source>{model} has no {runtime} file: {reason}</source>
        <translation>{model} 沒有 {runtime} 檔案：{reason}</translation>
    </message>
    <message>
        <source>no form: {reason}</source>
        <translation>沒有可用的形式：{reason}</translation>
    </message>
    <message>
        <source>three of its operators exist only inside MediaPipe, so plain LiteRT cannot load it</source>
        <translation>其中三個運算子只存在於 MediaPipe，純 LiteRT 無法載入</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>{model}: {backend} is the fastest here: {speed}x as fast as {base}</source>
        <translation>{model}：{backend} 在這裡最快，速度是 {base} 的 {speed} 倍</translation>
    </message>
    <message>
        <source>{model}: {backends} and {last} are equally fast here</source>
        <translation>{model}：{backends} 與 {last} 在這裡一樣快</translation>
    </message>
    <message>
        <source>{model}: nothing to choose: {backend} is a software GPU</source>
        <translation>{model}：沒有選擇：{backend} 是軟體 GPU</translation>
    </message>
    <message>
        <source>no such file or directory</source>
        <translation>沒有這個檔案或資料夾</translation>
    </message>
    <message>
        <source>permission denied</source>
        <translation>沒有權限</translation>
    </message>
    <message>
        <source>no space left on device</source>
        <translation>磁碟已滿</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>沒有這個檔案或資料夾</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>沒有權限</translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation>連線被拒絕</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>磁碟已滿</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>檔案系統唯讀</translation>
    </message>
    <message>
        <source>{name} wants a user name and password</source>
        <translation>{name} 需要使用者名稱與密碼</translation>
    </message>
    <message>
        <source>far</source>
        <translation>遠</translation>
    </message>
    <message>
        <source>near</source>
        <translation>近</translation>
    </message>
    <message>
        <source>{count} on {provider}</source>
        <translation>{provider} 上 {count} 個</translation>
    </message>
    <message>
        <source>{count} copies a run</source>
        <translation>每次執行複製 {count} 次</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就緒</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>未安裝</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n 核心</numerusform>
        </translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>沒有 GPU</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>數據</translation>
    </message>
    <message>
        <source>Drag to another corner</source>
        <translation>拖曳到其他角落</translation>
    </message>
    <message>
        <source>Capacity: what a pipeline could do if nothing else held it up. p95: 95 of 100 frames took less.</source>
        <translation>可達幀率：沒有其他限制時管線能做到的速度。p95：100 幀中有 95 幀更快。</translation>
    </message>
    <message>
        <source>Undo: {what}</source>
        <translation>復原：{what}</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redo: {what}</source>
        <translation>重做：{what}</translation>
    </message>
    <message>
        <source>effect</source>
        <translation>特效</translation>
    </message>
    <message>
        <source>look of {task}</source>
        <translation>{task}的外觀</translation>
    </message>
    <message>
        <source>look of the results</source>
        <translation>結果的外觀</translation>
    </message>
    <message>
        <source>You can only seek in files on this machine; this one comes over the network.</source>
        <translation>只有這台電腦上的檔案可以跳轉；這個來自網路。</translation>
    </message>
    <message>
        <source>The length of this file is known once it has played to its end.</source>
        <translation>檔案沒有註明長度；第一次播完後就知道。</translation>
    </message>
    <message>
        <source>Look in:</source>
        <translation>位置：</translation>
    </message>
    <message>
        <source>Files of type:</source>
        <translation>檔案類型：</translation>
    </message>
</context>
</TS>
