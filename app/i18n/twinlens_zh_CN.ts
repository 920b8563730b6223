<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>Ask again</source>
        <translation>再问一次</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>再找一次</translation>
    </message>
    <message>
        <source>{pipeline} cannot be used here: {reason}.</source>
        <translation>此处无法使用 {pipeline}：{reason}。</translation>
    </message>
    <message>
        <source>There is no picture to save yet.</source>
        <translation>还没有画面可以保存。</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>{text} The usual model runs instead.</source>
        <translation>{text} 改用平常的模型。</translation>
    </message>
    <message>
        <source>Use Auto</source>
        <translation>改用“自动”</translation>
    </message>
    <message>
        <source>Network camera…</source>
        <translation>网络摄像头…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>Nothing was recorded: no picture came while it lasted.</source>
        <translation>没有录到任何内容：期间没有画面。</translation>
    </message>
    <message>
        <source>What was recorded until the program broke off is saved as {names}.</source>
        <translation>程序中断前的录像已保存为 {names}。</translation>
    </message>
    <message>
        <source>There is nothing to record yet: start a source first.</source>
        <translation>还没有可以录像的内容：请先开始一个来源。</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>停止录像</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>录像</translation>
    </message>
    <message>
        <source>Recording of {time} saved</source>
        <translation>已保存 {time} 的录像</translation>
    </message>
    <message>
        <source>There are no figures to save yet</source>
        <translation>还没有数据可以保存</translation>
    </message>
    <message>
        <source>Every model runs on inputs from the embedded clip, on every backend of this machine in turn, and so do all tasks together. It takes about a minute. Nothing leaves this machine.</source>
        <translation>每个模型都以内置短片为输入，依次在这台电脑的每个后端上运行，接着所有任务一起运行。大约需要一分钟。任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <source>Trying the backends…</source>
        <translation>正在试用后端…</translation>
    </message>
    <message>
        <source>Gathering inputs…</source>
        <translation>正在收集输入…</translation>
    </message>
    <message>
        <source>Measuring all tasks together…</source>
        <translation>正在测量所有任务一起运行…</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Stop the live picture while measuring</source>
        <translation>测量期间停止实时画面</translation>
    </message>
    <message>
        <source>Both would slow each other down</source>
        <translation>两者会互相拖慢</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Save figures…</source>
        <translation>保存数据…</translation>
    </message>
    <message>
        <source>The benchmark file, JSON</source>
        <translation>性能测试文件，JSON</translation>
    </message>
    <message>
        <source>Save chart…</source>
        <translation>保存图表…</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Tables in Markdown, for an issue or a message</source>
        <translation>Markdown 表格，可用于问题报告或消息</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Save the figures</source>
        <translation>保存数据</translation>
    </message>
    <message>
        <source>Figures copied</source>
        <translation>已复制数据</translation>
    </message>
    <message>
        <source>Measuring {step}…</source>
        <translation>正在测量 {step}…</translation>
    </message>
    <message>
        <source>Median latency of one run, in milliseconds; shorter is better.</source>
        <translation>单次运行的延迟中位数（毫秒）；越短越好。</translation>
    </message>
    <message>
        <source>{pipeline}: all tasks and the drawing take {ms} ms a frame, {fps} fps could be shown</source>
        <translation>{pipeline}：所有任务与绘制每帧需 {ms} ms，每秒可显示 {fps} 帧</translation>
    </message>
    <message>
        <source>These are the figures from before.</source>
        <translation>这些是之前的数据。</translation>
    </message>
    <message>
        <source>How fast is this machine?</source>
        <translation>这台电脑有多快？</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Save the chart</source>
        <translation>保存图表</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>{name} saved</source>
        <translation>已保存 {name}</translation>
    </message>
    <message>
        <source>{count} left out</source>
        <translation>略过 {count} 帧</translation>
    </message>
    <message>
        <source>{count} frames</source>
        <translation>{count} 帧</translation>
    </message>
    <message>
        <source>Recording: {state}</source>
        <translation>录像：{state}</translation>
    </message>
    <message>
        <source>Place in the file</source>
        <translation>文件中的位置</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Burst of screenshots</source>
        <translation>连续截图</translation>
    </message>
    <message>
        <source>Looking at the file…</source>
        <translation>正在查看文件…</translation>
    </message>
    <message>
        <source>turned</source>
        <translation>已旋转</translation>
    </message>
    <message>
        <source>mirrored</source>
        <translation>已镜像</translation>
    </message>
    <message>
        <source>interlaced</source>
        <translation>隔行</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>没有写入任何内容。</translation>
    </message>
    <message>
        <source>{done} frames of an earlier run were made with other settings and will be thrown away.</source>
        <translation>先前以其他设置处理的 {done} 帧将被丢弃。</translation>
    </message>
    <message>
        <source>this file {rest}</source>
        <translation>这个文件 {rest}</translation>
    </message>
    <message>
        <source>Opening the file and loading the models…</source>
        <translation>正在打开文件并加载模型…</translation>
    </message>
    <message>
        <source>{done} of {expected} frames</source>
        <translation>{done} / {expected} 帧</translation>
    </message>
    <message>
        <source>{done} frames</source>
        <translation>{done} 帧</translation>
    </message>
    <message>
        <source>sound {kind}</source>
        <translation>声音 {kind}</translation>
    </message>
    <message>
        <source>{count} subtitles</source>
        <translation>{count} 条字幕</translation>
    </message>
    <message>
        <source>no sound</source>
        <translation>无声音</translation>
    </message>
    <message>
        <source>variable rate</source>
        <translation>可变帧率</translation>
    </message>
    <message>
        <source>rate unknown</source>
        <translation>帧率未知</translation>
    </message>
    <message>
        <source>number of frames unknown</source>
        <translation>帧数未知</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>还剩 {time}</translation>
    </message>
    <message>
        <source>{name} and {count} more</source>
        <translation>{name} 等，另有 {count} 个</translation>
    </message>
    <message>
        <source>{done} frames in {time}</source>
        <translation>{done} 帧，耗时 {time}</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>Resumes</source>
        <translation>将继续</translation>
    </message>
    <message>
        <source>{done} frames are kept: Try again resumes after them.</source>
        <translation>已保留 {done} 帧：“再试一次”会从其后继续。</translation>
    </message>
    <message>
        <source>{done} frames were finished before a break: it resumes after them.</source>
        <translation>中断前已完成 {done} 帧：将从其后继续。</translation>
    </message>
    <message>
        <source>resumed after frame {number}</source>
        <translation>从第 {number} 帧之后继续</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 小时 {minutes} 分</translation>
    </message>
    <message>
        <source>An earlier run was different: {difference}</source>
        <translation>先前的处理方式不同：{difference}</translation>
    </message>
    <message>
        <source>Written: {path}</source>
        <translation>已写入：{path}</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} done</source>
        <translation>{count} 个完成</translation>
    </message>
    <message>
        <source>{count} incomplete</source>
        <translation>{count} 个未完成</translation>
    </message>
    <message>
        <source>{count} failed</source>
        <translation>{count} 个失败</translation>
    </message>
    <message>
        <source>{count} cancelled</source>
        <translation>{count} 个已取消</translation>
    </message>
    <message>
        <source>File {number} of {count}</source>
        <translation>第 {number} 个文件，共 {count} 个</translation>
    </message>
    <message>
        <source>{time} left for all</source>
        <translation>全部还剩 {time}</translation>
    </message>
    <message>
        <source>more than {time} left for all</source>
        <translation>全部还剩超过 {time}</translation>
    </message>
    <message>
        <source>{head}, paused</source>
        <translation>{head}，已暂停</translation>
    </message>
    <message>
        <source>{count} ready</source>
        <translation>{count} 个就绪</translation>
    </message>
    <message>
        <source>Screenshots</source>
        <translation>截图张数</translation>
    </message>
    <message>
        <source>One every</source>
        <translation>每隔</translation>
    </message>
    <message>
        <source>takes {seconds} s</source>
        <translation>需时 {seconds} 秒</translation>
    </message>
    <message>
        <source>Performance strip</source>
        <translation>性能栏</translation>
    </message>
    <message>
        <source>Pause or save what the strip shows</source>
        <translation>暂停或保存性能栏的内容</translation>
    </message>
    <message>
        <source>More about the performance strip</source>
        <translation>更多性能栏选项</translation>
    </message>
    <message>
        <source>Milliseconds of all tasks together. Tasks run side by side, so a frame may be ready sooner.</source>
        <translation>所有任务合计的毫秒数。任务同时进行，所以一帧可能更早完成。</translation>
    </message>
    <message>
        <source>{seconds} s ago</source>
        <translation>{seconds} 秒前</translation>
    </message>
    <message>
        <source>Work per frame, last {seconds} s</source>
        <translation>每帧工作量，最近 {seconds} 秒</translation>
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
        <translation>文件</translation>
    </message>
    <message>
        <source>pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>demo clip</source>
        <translation>演示短片</translation>
    </message>
    <message>
        <source>camera</source>
        <translation>摄像头</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Face</source>
        <translation>脸部</translation>
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
        <translation>两条管线共用时间</translation>
    </message>
    <message>
        <source>drawing takes {ms} ms a frame</source>
        <translation>绘制每帧需 {ms} ms</translation>
    </message>
    <message>
        <source>{task} is {share}% of the work</source>
        <translation>{task}占工作量的 {share}%</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
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
        <translation>采集</translation>
    </message>
    <message>
        <source>Preprocess</source>
        <translation>预处理</translation>
    </message>
    <message>
        <source>Inference</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>绘制</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>丢帧</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Playback</source>
        <translation>播放控制</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open folder of pictures…</source>
        <translation>打开图片文件夹…</translation>
    </message>
    <message>
        <source>Play the demo</source>
        <translation>播放演示</translation>
    </message>
    <message>
        <source>You can also drop a file here. Nothing you show leaves this machine.</source>
        <translation>也可以把文件拖到这里。您显示的内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <source>Looking for a camera…</source>
        <translation>正在查找摄像头…</translation>
    </message>
    <message>
        <source>The demo needs none.</source>
        <translation>演示不需要摄像头。</translation>
    </message>
    <message>
        <source>No camera found</source>
        <translation>找不到摄像头</translation>
    </message>
    <message>
        <source>Connect one and look again, play the demo, or open a file of your own.</source>
        <translation>请接上摄像头后再找一次、播放演示，或打开您的文件。</translation>
    </message>
    <message>
        <source>Opening {}…</source>
        <translation>正在打开 {}…</translation>
    </message>
    <message>
        <source>The models load at the same time.</source>
        <translation>同时加载模型。</translation>
    </message>
    <message>
        <source>{} cannot be shown</source>
        <translation>无法显示 {}</translation>
    </message>
    <message>
        <source>Choose another one, or see what the demo does.</source>
        <translation>请选择其他来源，或看看演示。</translation>
    </message>
    <message>
        <source>{} is ready</source>
        <translation>{} 已就绪</translation>
    </message>
    <message>
        <source>Press Space to start.</source>
        <translation>按空格键开始。</translation>
    </message>
    <message numerus="yes">
        <source>%n more file(s): the window plays one at a time.</source>
        <translation>
            <numerusform>还有 %n 个文件：窗口一次播放一个。</numerusform>
        </translation>
    </message>
    <message>
        <source>Process files…</source>
        <translation>处理文件…</translation>
    </message>
    <message>
        <source>Save screenshot</source>
        <translation>保存截图</translation>
    </message>
    <message>
        <source>Save screenshot and all layers</source>
        <translation>保存截图与所有图层</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制画面</translation>
    </message>
    <message>
        <source>Record without drawings</source>
        <translation>录像（不含绘图）</translation>
    </message>
    <message>
        <source>Virtual camera</source>
        <translation>虚拟摄像头</translation>
    </message>
    <message>
        <source>Figures on screenshots and recordings</source>
        <translation>截图与录像加上数据</translation>
    </message>
    <message>
        <source>Folder for screenshots and recordings…</source>
        <translation>截图与录像的文件夹…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Opening {name}…</source>
        <translation>正在打开 {name}…</translation>
    </message>
    <message>
        <source>Paused. Press P to go on.</source>
        <translation>已暂停。按 P 继续。</translation>
    </message>
    <message>
        <source>Stopped. Press Space to start.</source>
        <translation>已停止。按空格键开始。</translation>
    </message>
    <message>
        <source>Stopped. Press Space to try again.</source>
        <translation>已停止。按空格键再试一次。</translation>
    </message>
    <message>
        <source>Loading B, {pipeline}…</source>
        <translation>正在加载 B（{pipeline}）…</translation>
    </message>
    <message>
        <source>Loading the models…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <source>trying {trial}…</source>
        <translation>正在试用 {trial}…</translation>
    </message>
    <message>
        <source>One frame back</source>
        <translation>后退一帧</translation>
    </message>
    <message>
        <source>10 seconds back</source>
        <translation>后退 10 秒</translation>
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
        <translation>自动管线</translation>
    </message>
    <message>
        <source>CPU pipeline</source>
        <translation>CPU 管线</translation>
    </message>
    <message>
        <source>GPU pipeline</source>
        <translation>GPU 管线</translation>
    </message>
    <message>
        <source>Compare: off, split, take turns</source>
        <translation>比较：关闭、分割、轮流</translation>
    </message>
    <message>
        <source>Benchmark…</source>
        <translation>性能测试…</translation>
    </message>
    <message>
        <source>Diagnostics…</source>
        <translation>诊断…</translation>
    </message>
    <message>
        <source>Look for cameras again</source>
        <translation>重新查找摄像头</translation>
    </message>
    <message>
        <source>Figures: off, compact, full</source>
        <translation>数据：关闭、精简、完整</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>画面</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Face opacity</source>
        <translation>脸部不透明度</translation>
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
        <translation>最多找这么多张脸</translation>
    </message>
    <message>
        <source>Where to save</source>
        <translation>输出位置</translation>
    </message>
    <message>
        <source>What to write</source>
        <translation>输出项目</translation>
    </message>
    <message>
        <source>What to look for</source>
        <translation>检测项目</translation>
    </message>
    <message>
        <source>Output folder</source>
        <translation>输出文件夹</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Existing files</source>
        <translation>已有文件</translation>
    </message>
    <message>
        <source>If it exists</source>
        <translation>若已存在</translation>
    </message>
    <message>
        <source>Annotated video or picture</source>
        <translation>标注后的视频或图片</translation>
    </message>
    <message>
        <source>The results drawn on every frame, or the effect</source>
        <translation>每帧画上结果或特效</translation>
    </message>
    <message>
        <source>Video format</source>
        <translation>视频格式</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Video quality</source>
        <translation>视频画质</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>画质</translation>
    </message>
    <message>
        <source>Sound and subtitles</source>
        <translation>声音与字幕</translation>
    </message>
    <message>
        <source>Brought over, without encoding them anew where that is possible</source>
        <translation>直接带入，尽可能不重新编码</translation>
    </message>
    <message>
        <source>Results file</source>
        <translation>结果文件</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Layers, a picture for every frame</source>
        <translation>图层，每帧一张图片</translation>
    </message>
    <message>
        <source>Max faces</source>
        <translation>人脸上限</translation>
    </message>
    <message>
        <source>Steady results over time</source>
        <translation>让结果随时间保持稳定</translation>
    </message>
    <message>
        <source>Smooth landmarks, masks and depth from frame to frame</source>
        <translation>逐帧平滑特征点、遮罩与深度</translation>
    </message>
    <message>
        <source>Folder for what is written</source>
        <translation>输出的文件夹</translation>
    </message>
    <message>
        <source>This format has no quality setting</source>
        <translation>这种格式没有画质设置</translation>
    </message>
    <message>
        <source>Needs the task {task}</source>
        <translation>需要“{task}”任务</translation>
    </message>
    <message>
        <source>Mirror cameras</source>
        <translation>摄像头镜像</translation>
    </message>
    <message>
        <source>Only what you see is mirrored; what is saved stays true (M)</source>
        <translation>只镜像您看到的画面；保存的内容不变 (M)</translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation>不透明度</translation>
    </message>
    <message>
        <source>Show fewer</source>
        <translation>显示较少</translation>
    </message>
    <message>
        <source>Show {count} not usable here</source>
        <translation>显示 {count} 个无法使用的后端</translation>
    </message>
    <message>
        <source>One task has to stay on</source>
        <translation>至少要开启一项任务</translation>
    </message>
    <message>
        <source>An effect shows the person already</source>
        <translation>特效已经显示人物</translation>
    </message>
    <message>
        <source>Needs the task Person</source>
        <translation>需要“人物”任务</translation>
    </message>
    <message>
        <source>Trying {backend}, so that Auto knows what is fastest here…</source>
        <translation>正在试用 {backend}，让“自动”知道此处哪个最快…</translation>
    </message>
    <message>
        <source>Asking the backends…</source>
        <translation>正在询问后端…</translation>
    </message>
    <message>
        <source>Not tried yet: choose it to try it</source>
        <translation>尚未试过：选取即可试用</translation>
    </message>
    <message>
        <source>Not usable here: {reason}</source>
        <translation>无法在此使用：{reason}</translation>
    </message>
    <message>
        <source>Side panel</source>
        <translation>侧边面板</translation>
    </message>
    <message>
        <source>Save the figures as CSV…</source>
        <translation>将数据存为 CSV…</translation>
    </message>
    <message>
        <source>Save the chart as PNG…</source>
        <translation>将图表存为 PNG…</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Turn the relief left</source>
        <translation>浮雕向左转</translation>
    </message>
    <message>
        <source>Turn the relief right</source>
        <translation>浮雕向右转</translation>
    </message>
    <message>
        <source>Turn the relief up</source>
        <translation>浮雕向上转</translation>
    </message>
    <message>
        <source>Turn the relief down</source>
        <translation>浮雕向下转</translation>
    </message>
    <message>
        <source>Reset the angle</source>
        <translation>重置角度</translation>
    </message>
    <message>
        <source>Look closely at the next face</source>
        <translation>近看下一张脸</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>An address begins with rtsp://, http:// or https://.</source>
        <translation>地址以 rtsp://、http:// 或 https:// 开头。</translation>
    </message>
    <message>
        <source>An address has no spaces in it.</source>
        <translation>地址中不能有空格。</translation>
    </message>
    <message>
        <source>This address is not valid: check the host and the port.</source>
        <translation>这个地址无效：请检查主机和端口。</translation>
    </message>
    <message>
        <source>The host is missing, such as 192.168.1.20.</source>
        <translation>缺少主机，例如 192.168.1.20。</translation>
    </message>
    <message>
        <source>Open network camera</source>
        <translation>打开网络摄像头</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>User name</source>
        <translation>用户名</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Picture of the camera</source>
        <translation>摄像头的画面</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Fetch one picture, without opening the camera here</source>
        <translation>只取得一张画面，不在此打开摄像头</translation>
    </message>
    <message>
        <source>Twinlens connects to this address only. User name and password are never saved: they are forgotten when Twinlens closes.</source>
        <translation>Twinlens 只连接这个地址，不会连接其他地方。用户名和密码不会写入任何地方，关闭程序后即忘记。</translation>
    </message>
    <message>
        <source>“Test” shows a picture here.</source>
        <translation>按“测试”会在此显示画面。</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>About {app}</source>
        <translation>关于 {app}</translation>
    </message>
    <message>
        <source>Face landmarks, person segmentation and depth on this machine, live, with honest figures.

No frame leaves this machine. Free software under the Apache License 2.0.</source>
        <translation>在这台电脑上实时检测脸部特征点、分割人物、估计深度，数据诚实。

任何画面都不会离开这台电脑。以 Apache License 2.0 授权的自由软件。</translation>
    </message>
    <message>
        <source>Open network camera…</source>
        <translation>打开网络摄像头…</translation>
    </message>
    <message>
        <source>Pause the picture</source>
        <translation>暂停画面</translation>
    </message>
    <message>
        <source>One frame forward</source>
        <translation>前进一帧</translation>
    </message>
    <message>
        <source>10 seconds forward</source>
        <translation>前进 10 秒</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循环播放</translation>
    </message>
    <message>
        <source>Corner of the figures</source>
        <translation>数据的位置</translation>
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
        <translation>性能栏选项</translation>
    </message>
    <message>
        <source>Pause the strip</source>
        <translation>暂停性能栏</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Fit the window</source>
        <translation>完整显示</translation>
    </message>
    <message>
        <source>Fill the window, edges cut off</source>
        <translation>填满窗口，裁去边缘</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>实际大小</translation>
    </message>
    <message>
        <source>Relief</source>
        <translation>浮雕</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Follow the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>System language</source>
        <translation>系统语言</translation>
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
        <translation>关于 Twinlens</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>样式</translation>
    </message>
    <message>
        <source>Face style</source>
        <translation>脸部样式</translation>
    </message>
    <message>
        <source>Contours</source>
        <translation>轮廓</translation>
    </message>
    <message>
        <source>Outline, brows, eyes, irises and lips</source>
        <translation>脸型、眉、眼、虹膜与嘴唇</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>The whole mesh as a fine net</source>
        <translation>整个网格画成细网</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>点</translation>
    </message>
    <message>
        <source>Every landmark as a dot</source>
        <translation>每个特征点画成一点</translation>
    </message>
    <message>
        <source>Box</source>
        <translation>外框</translation>
    </message>
    <message>
        <source>Corners around the face, and its score</source>
        <translation>脸部四角与分数</translation>
    </message>
    <message>
        <source>Glasses</source>
        <translation>眼镜</translation>
    </message>
    <message>
        <source>Glasses that turn with the head</source>
        <translation>随头部转动的眼镜</translation>
    </message>
    <message>
        <source>Hat</source>
        <translation>帽子</translation>
    </message>
    <message>
        <source>A hat that turns with the head</source>
        <translation>随头部转动的帽子</translation>
    </message>
    <message>
        <source>Not drawn</source>
        <translation>不绘制</translation>
    </message>
    <message>
        <source>Analysed, but not drawn</source>
        <translation>已分析，但不绘制</translation>
    </message>
    <message>
        <source>Person style</source>
        <translation>人物样式</translation>
    </message>
    <message>
        <source>Tint</source>
        <translation>上色</translation>
    </message>
    <message>
        <source>The person tinted and outlined</source>
        <translation>人物上色并描边</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>描边</translation>
    </message>
    <message>
        <source>Only a line around the person</source>
        <translation>只描出人物的边缘</translation>
    </message>
    <message>
        <source>Spotlight</source>
        <translation>聚光</translation>
    </message>
    <message>
        <source>The person in colour, the rest grey and dark</source>
        <translation>人物彩色，其余灰暗</translation>
    </message>
    <message>
        <source>Cut-out</source>
        <translation>抠图</translation>
    </message>
    <message>
        <source>The person on a plain dark background</source>
        <translation>人物在纯深色背景上</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Person colour</source>
        <translation>人物颜色</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>紫色</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
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
        <translation>显示方式</translation>
    </message>
    <message>
        <source>Depth view</source>
        <translation>深度显示方式</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动选择</translation>
    </message>
    <message>
        <source>In the corner; over the picture when nothing else is on</source>
        <translation>在角落；没有其他任务时盖满画面</translation>
    </message>
    <message>
        <source>In the corner</source>
        <translation>在角落</translation>
    </message>
    <message>
        <source>A small picture at the lower right</source>
        <translation>右下角的小图</translation>
    </message>
    <message>
        <source>Whole picture</source>
        <translation>整个画面</translation>
    </message>
    <message>
        <source>Over the whole picture</source>
        <translation>盖满整个画面</translation>
    </message>
    <message>
        <source>The picture as a relief; turn it with the right mouse button, or Alt and an arrow key</source>
        <translation>把画面显示成浮雕；按住鼠标右键拖动，或用 Alt 加方向键转动</translation>
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
        <translation>黑、红、黄；均匀渐变</translation>
    </message>
    <message>
        <source>Magma</source>
        <translation>Magma</translation>
    </message>
    <message>
        <source>Black, purple, cream; even steps</source>
        <translation>黑、紫、米色；均匀渐变</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Blue, green, yellow; even steps</source>
        <translation>蓝、绿、黄；均匀渐变</translation>
    </message>
    <message>
        <source>Turbo</source>
        <translation>Turbo</translation>
    </message>
    <message>
        <source>Rainbow; more detail, uneven steps</source>
        <translation>彩虹；细节较多，渐变不均匀</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>Near is white</source>
        <translation>近处为白</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>特效</translation>
    </message>
    <message>
        <source>Beside each file</source>
        <translation>在各文件旁边</translation>
    </message>
    <message>
        <source>Into the folder that the file itself is in</source>
        <translation>放进文件本身所在的文件夹</translation>
    </message>
    <message>
        <source>Everything into one folder</source>
        <translation>全部放进同一个文件夹</translation>
    </message>
    <message>
        <source>Add a number</source>
        <translation>加上编号</translation>
    </message>
    <message>
        <source>clip.twinlens.mp4 stays, and clip-2.twinlens.mp4 is written</source>
        <translation>保留 clip.twinlens.mp4，另外写入 clip-2.twinlens.mp4</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>What an earlier run has written is replaced; the files of the list never are</source>
        <translation>替换先前输出的文件；列表中的文件绝不会被替换</translation>
    </message>
    <message>
        <source>H.264, plays everywhere</source>
        <translation>H.264，到处都能播放</translation>
    </message>
    <message>
        <source>H.264, holds any sound and subtitles</source>
        <translation>H.264，可容纳任何声音与字幕</translation>
    </message>
    <message>
        <source>H.264; with a transparent background ProRes 4444</source>
        <translation>H.264；背景透明时用 ProRes 4444</translation>
    </message>
    <message>
        <source>VP9; can have a transparent background</source>
        <translation>VP9；背景可以透明</translation>
    </message>
    <message>
        <source>256 colours, no sound; large</source>
        <translation>256 色，无声音；文件大</translation>
    </message>
    <message>
        <source>PNG, a file for every frame, in a folder</source>
        <translation>PNG，每帧一个文件，放在文件夹中</translation>
    </message>
    <message>
        <source>Highest</source>
        <translation>最高</translation>
    </message>
    <message>
        <source>Large files: 14 on the scale of H.264</source>
        <translation>文件大：H.264 的刻度 14</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Hard to tell from the source: 20 on the scale of H.264</source>
        <translation>与原文件难以分辨：H.264 的刻度 20</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>Smaller files: 26 on the scale of H.264</source>
        <translation>文件较小：H.264 的刻度 26</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>Small files: 32 on the scale of H.264</source>
        <translation>文件小：H.264 的刻度 32</translation>
    </message>
    <message>
        <source>Transparent</source>
        <translation>透明</translation>
    </message>
    <message>
        <source>The person alone, for editing: WebM, QuickTime or numbered pictures</source>
        <translation>只有人物，供剪辑使用：WebM、QuickTime 或编号图片</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Write no numbers</source>
        <translation>不输出数据</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON Lines</translation>
    </message>
    <message>
        <source>Everything that was found, a line for every frame</source>
        <translation>找到的所有内容，每帧一行</translation>
    </message>
    <message>
        <source>Table (CSV)</source>
        <translation>表格 (CSV)</translation>
    </message>
    <message>
        <source>For spreadsheets, a line for every frame</source>
        <translation>供电子表格使用，每帧一行</translation>
    </message>
    <message>
        <source>Annotated frames, PNG</source>
        <translation>标注后的每一帧，PNG</translation>
    </message>
    <message>
        <source>Annotated frame</source>
        <translation>标注画面</translation>
    </message>
    <message>
        <source>Person mask</source>
        <translation>人物遮罩</translation>
    </message>
    <message>
        <source>PNG, 8 bits, 255 is the person</source>
        <translation>PNG，8 位，255 为人物</translation>
    </message>
    <message>
        <source>Depth map</source>
        <translation>深度图</translation>
    </message>
    <message>
        <source>PNG, 16 bits, bigger is nearer</source>
        <translation>PNG，16 位，数值越大越近</translation>
    </message>
    <message>
        <source>Blur</source>
        <translation>模糊</translation>
    </message>
    <message>
        <source>The background out of focus</source>
        <translation>背景虚化</translation>
    </message>
    <message>
        <source>Portrait</source>
        <translation>人像</translation>
    </message>
    <message>
        <source>Out of focus with the distance, as a fast lens does; better with depth on</source>
        <translation>像大光圈镜头一样，越远越模糊；开启深度效果更好</translation>
    </message>
    <message>
        <source>Green screen</source>
        <translation>绿幕</translation>
    </message>
    <message>
        <source>A plain green background, to be replaced elsewhere</source>
        <translation>纯绿色背景，供其他软件替换</translation>
    </message>
    <message>
        <source>A plain dark background</source>
        <translation>纯深色背景</translation>
    </message>
    <message>
        <source>Picture…</source>
        <translation>图片…</translation>
    </message>
    <message>
        <source>A picture of yours as the background</source>
        <translation>用您自己的图片作背景</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Model for landmarks</source>
        <translation>特征点模型</translation>
    </message>
    <message>
        <source>478 points</source>
        <translation>478 点</translation>
    </message>
    <message>
        <source>468 points</source>
        <translation>468 点</translation>
    </message>
    <message>
        <source>Model for mask</source>
        <translation>遮罩模型</translation>
    </message>
    <message>
        <source>Landscape</source>
        <translation>横向</translation>
    </message>
    <message>
        <source>Square</source>
        <translation>方形</translation>
    </message>
    <message>
        <source>shown {fps} fps</source>
        <translation>显示 {fps} fps</translation>
    </message>
    <message>
        <source>CPU {share}%</source>
        <translation>CPU {share}%</translation>
    </message>
    <message>
        <source>measuring…</source>
        <translation>测量中…</translation>
    </message>
    <message>
        <source>no new frames</source>
        <translation>没有新的帧</translation>
    </message>
    <message>
        <source>A runs its tasks side by side, B one by one</source>
        <translation>A 的任务同时进行，B 的逐一进行</translation>
    </message>
    <message>
        <source>B runs its tasks side by side, A one by one</source>
        <translation>B 的任务同时进行，A 的逐一进行</translation>
    </message>
    <message>
        <source>as fast</source>
        <translation>一样快</translation>
    </message>
    <message>
        <source>{times} faster</source>
        <translation>{times} 速度</translation>
    </message>
    <message>
        <source>Landmarks</source>
        <translation>特征点</translation>
    </message>
    <message>
        <source>not the same faces</source>
        <translation>不是相同的脸</translation>
    </message>
    <message>
        <source>Mask IoU</source>
        <translation>遮罩 IoU</translation>
    </message>
    <message>
        <source>Depth correlation</source>
        <translation>深度相关</translation>
    </message>
    <message numerus="yes">
        <source>Agreement, 1 is complete: {value}, the median of %n frame(s) that were compared</source>
        <translation>
            <numerusform>一致程度（1 为完全一致）：{value}，取自比较过的 %n 帧的中位数</numerusform>
        </translation>
    </message>
    <message>
        <source>no other backend can be used here</source>
        <translation>此处没有其他可用的后端</translation>
    </message>
    <message>
        <source>There is nothing to compare with: {why}</source>
        <translation>没有可以比较的对象：{why}</translation>
    </message>
    <message>
        <source>{pipeline} cannot be compared with: {reason}.</source>
        <translation>无法与 {pipeline} 比较：{reason}。</translation>
    </message>
    <message>
        <source>no {pipeline} backend is installed</source>
        <translation>没有安装 {pipeline} 后端</translation>
    </message>
    <message>
        <source>none of the {count} {pipeline} backends can be used</source>
        <translation>{count} 个 {pipeline} 后端都无法使用</translation>
    </message>
    <message>
        <source>Something unexpected happened inside Twinlens ({kind}); what works goes on.</source>
        <translation>Twinlens 内部发生意外情况（{kind}）；其余功能继续运行。</translation>
    </message>
    <message>
        <source>No source</source>
        <translation>没有来源</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Camera</source>
        <translation>摄像头</translation>
    </message>
    <message>
        <source>Camera {name}</source>
        <translation>摄像头 {name}</translation>
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
            <numerusform>%n 张图片</numerusform>
        </translation>
    </message>
    <message>
        <source>the camera&apos;s choice</source>
        <translation>由摄像头决定</translation>
    </message>
    <message>
        <source>Asked for: {mode}</source>
        <translation>请求：{mode}</translation>
    </message>
    <message>
        <source>The camera says: {mode}</source>
        <translation>摄像头报告：{mode}</translation>
    </message>
    <message>
        <source>Measured: {fps} fps</source>
        <translation>实测：{fps} fps</translation>
    </message>
    <message>
        <source>Less about {name}</source>
        <translation>收起{name}</translation>
    </message>
    <message>
        <source>More about {name}</source>
        <translation>展开{name}</translation>
    </message>
    <message>
        <source>Divider between A and B</source>
        <translation>A 与 B 的分隔线</translation>
    </message>
    <message>
        <source>Drag to see more of A or B; a double click puts it in the middle</source>
        <translation>拖动以多看 A 或 B；双击回到中间</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>可达帧率</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>{capacity} fps</source>
        <translation>{capacity} fps</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭这条消息</translation>
    </message>
    <message>
        <source>Details of the message</source>
        <translation>消息的详细信息</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详细信息</translation>
    </message>
    <message>
        <source>{count} times</source>
        <translation>{count} 次</translation>
    </message>
    <message>
        <source>{count} more</source>
        <translation>另有 {count} 条</translation>
    </message>
    <message>
        <source>Hide details</source>
        <translation>隐藏详细信息</translation>
    </message>
    <message>
        <source>{id} (not tried yet)</source>
        <translation>{id}（尚未试过）</translation>
    </message>
    <message>
        <source>{id} (software)</source>
        <translation>{id}（软件模拟）</translation>
    </message>
    <message>
        <source>Will be tried on this machine first</source>
        <translation>会先在这台电脑上试用</translation>
    </message>
    <message>
        <source>The fastest backend that works here</source>
        <translation>此处可用的最快后端</translation>
    </message>
    <message>
        <source>The best backend on the processor</source>
        <translation>处理器上最好的后端</translation>
    </message>
    <message>
        <source>The best backend on the graphics card</source>
        <translation>显卡上最好的后端</translation>
    </message>
    <message>
        <source>What Twinlens looks at</source>
        <translation>Twinlens 看的来源</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Cameras</source>
        <translation>摄像头列表</translation>
    </message>
    <message>
        <source>Looking for cameras…</source>
        <translation>正在查找所有摄像头…</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近使用</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add the videos and pictures of a folder</source>
        <translation>添加文件夹中的视频与图片</translation>
    </message>
    <message>
        <source>Process the files that wait</source>
        <translation>处理等候中的文件</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pause between two frames, or go on</source>
        <translation>在两帧之间暂停，或继续</translation>
    </message>
    <message>
        <source>Nothing of it is kept</source>
        <translation>不留下任何内容</translation>
    </message>
    <message>
        <source>Take the selected files off the list; none is deleted</source>
        <translation>从列表移除选中的文件；不会删除文件</translation>
    </message>
    <message>
        <source>Take finished files off the list; none is deleted</source>
        <translation>从列表移除已完成的文件；不会删除文件</translation>
    </message>
    <message>
        <source>Cancel this file</source>
        <translation>取消这个文件</translation>
    </message>
    <message>
        <source>Cancel all</source>
        <translation>全部取消</translation>
    </message>
    <message>
        <source>What is done stays</source>
        <translation>已完成的会保留</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Undo removal</source>
        <translation>撤销移除</translation>
    </message>
    <message>
        <source>Put back what was taken off the list last</source>
        <translation>放回上次从列表移除的文件</translation>
    </message>
    <message>
        <source>Retry failed</source>
        <translation>重试失败项目</translation>
    </message>
    <message>
        <source>Put what failed back into the queue</source>
        <translation>把失败的放回队列</translation>
    </message>
    <message>
        <source>Clear done</source>
        <translation>清除已完成</translation>
    </message>
    <message>
        <source>Show result</source>
        <translation>显示结果</translation>
    </message>
    <message>
        <source>Open what was written</source>
        <translation>打开输出的文件</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Show what was written last in its folder</source>
        <translation>在文件夹中显示最后输出的文件</translation>
    </message>
    <message>
        <source>Screenshot saved</source>
        <translation>已保存截图</translation>
    </message>
    <message numerus="yes">
        <source>Screenshot and %n layer(s) saved</source>
        <translation>
            <numerusform>已保存截图与 %n 个图层</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare: off</source>
        <translation>不比较</translation>
    </message>
    <message>
        <source>One pipeline</source>
        <translation>单一管线</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>分割</translation>
    </message>
    <message>
        <source>Both on the same picture: A left of the divider, B right of it</source>
        <translation>同一画面：分隔线左边是 A，右边是 B</translation>
    </message>
    <message>
        <source>Take turns</source>
        <translation>轮流</translation>
    </message>
    <message>
        <source>The two take turns, so that both are measured under the same load</source>
        <translation>两者轮流运行，让两边在相同负载下测量</translation>
    </message>
    <message>
        <source>Size and rate to ask of the camera</source>
        <translation>向摄像头要求的尺寸与速率</translation>
    </message>
    <message>
        <source>Camera mode</source>
        <translation>摄像头模式</translation>
    </message>
    <message>
        <source>Start or stop (Space)</source>
        <translation>开始或停止（空格键）</translation>
    </message>
    <message>
        <source>A is amber everywhere: here, in the figures and in the strip below</source>
        <translation>A 一律是琥珀色：这里、数据卡和下方的性能栏都一样</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>管线</translation>
    </message>
    <message>
        <source>Which backend runs the models (0 auto, 1 CPU, 2 GPU)</source>
        <translation>由哪个后端运行模型（0 自动、1 CPU、2 GPU）</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比较方式</translation>
    </message>
    <message>
        <source>Compare with a second pipeline on the same pictures (C)</source>
        <translation>用相同画面与第二条管线比较 (C)</translation>
    </message>
    <message>
        <source>B is teal everywhere: here, in the figures and in the strip below</source>
        <translation>B 一律是蓝绿色：这里、数据卡和下方的性能栏都一样</translation>
    </message>
    <message>
        <source>Pipeline B</source>
        <translation>管线 B</translation>
    </message>
    <message>
        <source>Which backend the first one is compared with</source>
        <translation>与第一个后端比较的对象</translation>
    </message>
    <message>
        <source>Camera&apos;s choice</source>
        <translation>由摄像头决定</translation>
    </message>
    <message>
        <source>Videos and pictures</source>
        <translation>视频与图片</translation>
    </message>
    <message>
        <source>Videos</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Open a video or picture</source>
        <translation>打开视频或图片</translation>
    </message>
    <message>
        <source>Open a folder of pictures</source>
        <translation>打开图片文件夹</translation>
    </message>
    <message>
        <source>Picture for the background</source>
        <translation>背景图片</translation>
    </message>
    <message>
        <source>There is no picture to copy yet</source>
        <translation>还没有画面可以复制</translation>
    </message>
    <message>
        <source>Picture copied, {width} {times} {height}</source>
        <translation>已复制画面，{width} {times} {height}</translation>
    </message>
    <message>
        <source>Folder for screenshots</source>
        <translation>截图文件夹</translation>
    </message>
    <message>
        <source>the package pyvirtualcam is not installed: pip install twinlens[virtualcam]</source>
        <translation>没有安装 pyvirtualcam 软件包：pip install twinlens[virtualcam]</translation>
    </message>
    <message>
        <source>the kernel module v4l2loopback is not loaded: modprobe v4l2loopback</source>
        <translation>没有加载内核模块 v4l2loopback：modprobe v4l2loopback</translation>
    </message>
    <message>
        <source>Other programs can choose the picture as the camera {name}.</source>
        <translation>其他程序可以选择摄像头 {name} 来使用这个画面。</translation>
    </message>
    <message>
        <source>Stop the burst</source>
        <translation>停止连续截图</translation>
    </message>
    <message>
        <source>Burst of screenshots…</source>
        <translation>连续截图…</translation>
    </message>
    <message>
        <source>Screenshot {number} of {count} saved. B ends the burst.</source>
        <translation>已保存第 {number} 张截图，共 {count} 张。按 B 结束连续截图。</translation>
    </message>
    <message>
        <source>{count} screenshots saved</source>
        <translation>已保存 {count} 张截图</translation>
    </message>
    <message>
        <source>{number} of {count} screenshots saved</source>
        <translation>已保存 {number} 张截图，共 {count} 张</translation>
    </message>
    <message>
        <source>There is no face to look at</source>
        <translation>没有脸可以近看</translation>
    </message>
    <message>
        <source>score {score}, {count} points</source>
        <translation>分数 {score}，{count} 点</translation>
    </message>
    <message>
        <source>turned {yaw}°, raised {pitch}°</source>
        <translation>左右 {yaw}°，上下 {pitch}°</translation>
    </message>
    <message>
        <source>tilted {roll}°</source>
        <translation>倾斜 {roll}°</translation>
    </message>
    <message>
        <source>{person} {here} here, {all} of the picture</source>
        <translation>{person}：此处 {here}，占画面 {all}</translation>
    </message>
    <message>
        <source>{ratio}{times} faster</source>
        <translation>{ratio}{times} 速度</translation>
    </message>
    <message>
        <source>{ratio}{times} slower</source>
        <translation>{ratio}{times} 耗时</translation>
    </message>
    <message>
        <source>{backend} (software)</source>
        <translation>{backend}（软件模拟）</translation>
    </message>
    <message>
        <source>Latency of each model</source>
        <translation>各模型的延迟</translation>
    </message>
    <message>
        <source>Backend and model</source>
        <translation>后端与模型</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Left to the CPU</source>
        <translation>交给 CPU</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>判定</translation>
    </message>
    <message>
        <source>Backends and models</source>
        <translation>所有后端与模型</translation>
    </message>
    <message>
        <source>Try every backend with every model, whatever is known of them</source>
        <translation>不论已知结果，用每个模型试用每个后端</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>The whole diagnosis, JSON</source>
        <translation>完整诊断，JSON</translation>
    </message>
    <message>
        <source>Copy report for an issue</source>
        <translation>复制报告供问题反馈</translation>
    </message>
    <message>
        <source>Looking at this machine…</source>
        <translation>正在查看这台电脑…</translation>
    </message>
    <message>
        <source>Save the diagnosis</source>
        <translation>保存诊断</translation>
    </message>
    <message>
        <source>Report copied</source>
        <translation>已复制报告</translation>
    </message>
    <message>
        <source>Looking at {step}…</source>
        <translation>正在查看 {step}…</translation>
    </message>
    <message>
        <source>left to the CPU</source>
        <translation>交给 CPU</translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation>性能测试</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Add videos and pictures</source>
        <translation>添加视频与图片</translation>
    </message>
    <message>
        <source>Drop videos, pictures or folders here</source>
        <translation>把视频、图片或文件夹拖到这里</translation>
    </message>
    <message>
        <source>Each becomes a new file; yours stay as they are. Nothing leaves this machine.</source>
        <translation>每个都会生成新文件；您的文件不会改变。任何内容都不会离开这台电脑。</translation>
    </message>
    <message>
        <source>Choose at least one task.</source>
        <translation>请至少选择一项任务。</translation>
    </message>
    <message>
        <source>Choose at least one thing to write.</source>
        <translation>请至少选择一项输出。</translation>
    </message>
    <message>
        <source>The layer {layer} needs a task that is off.</source>
        <translation>图层 {layer} 需要的任务没有开启。</translation>
    </message>
    <message>
        <source>{format} holds no transparency: choose another format.</source>
        <translation>{format} 不支持透明：请选择其他格式。</translation>
    </message>
    <message>
        <source>The background can only be changed with the task Person.</source>
        <translation>只有开启“人物”任务才能更换背景。</translation>
    </message>
    <message>
        <source>Numbered pictures</source>
        <translation>编号图片</translation>
    </message>
    <message>
        <source>Process files</source>
        <translation>处理文件</translation>
    </message>
    <message numerus="yes">
        <source>Stop processing? %n file(s) not done yet.</source>
        <translation>
            <numerusform>要停止处理吗？还有 %n 个文件未完成。</numerusform>
        </translation>
    </message>
    <message>
        <source>What is done stays; the file in progress can be resumed later.</source>
        <translation>已完成的会保留；处理中的文件稍后可以继续。</translation>
    </message>
    <message>
        <source>Cancel {name}?</source>
        <translation>要取消 {name} 吗？</translation>
    </message>
    <message>
        <source>{done} frames are done. Nothing of them is kept.</source>
        <translation>已完成 {done} 帧，取消后全部不保留。</translation>
    </message>
    <message>
        <source>Keep working</source>
        <translation>继续工作</translation>
    </message>
    <message>
        <source>Files to process</source>
        <translation>要处理的文件</translation>
    </message>
    <message>
        <source>Take off the list</source>
        <translation>从列表移除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Resume where it broke off</source>
        <translation>从中断处继续</translation>
    </message>
    <message>
        <source>Incomplete</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}</source>
        <translation>无法读取 {path}：{reason}</translation>
    </message>
    <message>
        <source>The files cannot be listed: {reason}.</source>
        <translation>无法列出文件：{reason}。</translation>
    </message>
    <message>
        <source>{path} could not be processed: {reason}</source>
        <translation>无法处理 {path}：{reason}</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Looking at what was added…</source>
        <translation>正在查看添加的项目…</translation>
    </message>
    <message>
        <source>The options can be changed again when the queue has ended.</source>
        <translation>队列结束后才能再更改选项。</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) taken off the list</source>
        <translation>
            <numerusform>已从列表移除 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Processed: {text}</source>
        <translation>处理完毕：{text}</translation>
    </message>
    <message>
        <source>Not changed: {reason}</source>
        <translation>未更改：{reason}</translation>
    </message>
    <message>
        <source>Not compared: {reason}</source>
        <translation>无法比较：{reason}</translation>
    </message>
    <message>
        <source>{sentence} Trying again…</source>
        <translation>{sentence}正在重试…</translation>
    </message>
    <message>
        <source>there is no such file or folder</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>{name}: there is no such file or folder</source>
        <translation>{name}：没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>{name}: the folder holds no picture</source>
        <translation>{name}：文件夹里没有图片</translation>
    </message>
    <message>
        <source>{name} is empty (0 bytes)</source>
        <translation>{name} 是空的（0 字节）</translation>
    </message>
    <message>
        <source>{name} is a folder, not a file</source>
        <translation>{name} 是文件夹，不是文件</translation>
    </message>
    <message>
        <source>{name} is damaged or incomplete: it cannot be decoded</source>
        <translation>{name} 已损坏或不完整，无法解码</translation>
    </message>
    <message>
        <source>{name} is too large or damaged: it cannot be decoded</source>
        <translation>{name} 太大或已损坏，无法解码</translation>
    </message>
    <message>
        <source>{name} is incomplete: its index is missing, as when a recording or a download was cut off</source>
        <translation>{name} 不完整：缺少索引，可能是录制或下载中断</translation>
    </message>
    <message>
        <source>{name} is incomplete: the file breaks off</source>
        <translation>{name} 不完整：文件中途结束</translation>
    </message>
    <message>
        <source>{name} is not a video that can be read</source>
        <translation>{name} 不是可读取的视频</translation>
    </message>
    <message>
        <source>{name} is not a picture that can be decoded</source>
        <translation>{name} 不是可解码的图片</translation>
    </message>
    <message>
        <source>{name} holds no video and no picture</source>
        <translation>{name} 里没有视频也没有图片</translation>
    </message>
    <message>
        <source>{name} holds no picture that can be decoded</source>
        <translation>{name} 里没有可解码的画面</translation>
    </message>
    <message>
        <source>{name} holds video in a coding that cannot be decoded</source>
        <translation>{name} 的视频编码无法解码</translation>
    </message>
    <message>
        <source>{name} holds sound but no video</source>
        <translation>{name} 只有声音，没有画面</translation>
    </message>
    <message>
        <source>{name} holds no video</source>
        <translation>{name} 里没有视频画面</translation>
    </message>
    <message>
        <source>{name} holds no picture</source>
        <translation>{name} 里没有画面</translation>
    </message>
    <message>
        <source>{name} cannot be read: {reason}</source>
        <translation>无法读取 {name}：{reason}</translation>
    </message>
    <message>
        <source>{name} exists already (--overwrite replaces it)</source>
        <translation>{name} 已经存在（--overwrite 可替换）</translation>
    </message>
    <message>
        <source>{name} cannot be written: the folder {folder} does not exist</source>
        <translation>无法写入 {name}：文件夹 {folder} 不存在</translation>
    </message>
    <message>
        <source>{name} cannot be written: {reason}</source>
        <translation>无法写入 {name}：{reason}</translation>
    </message>
    <message>
        <source>the folder {name} cannot be made: {reason}</source>
        <translation>无法创建文件夹 {name}：{reason}</translation>
    </message>
    <message>
        <source>the folder {name} cannot be used: {reason}</source>
        <translation>无法使用文件夹 {name}：{reason}</translation>
    </message>
    <message>
        <source>there is no room for a recording in {folder}: {megabytes} MB are left</source>
        <translation>{folder} 的空间不足以录像：剩下 {megabytes} MB</translation>
    </message>
    <message>
        <source>The recording was stopped: only {megabytes} MB are left on the disk.</source>
        <translation>录像已停止：磁盘只剩 {megabytes} MB。</translation>
    </message>
    <message>
        <source>The settings file is damaged; the defaults are used.</source>
        <translation>设置文件已损坏，改用默认值。</translation>
    </message>
    <message>
        <source>The settings file was damaged and is kept as {name}; the defaults are used.</source>
        <translation>设置文件已损坏，另存为 {name}，改用默认值。</translation>
    </message>
    <message>
        <source>The settings file is of a later version of Twinlens; the defaults are used.</source>
        <translation>设置文件来自较新版本的 Twinlens，改用默认值。</translation>
    </message>
    <message>
        <source>The settings file is of a later version of Twinlens and is kept as {name}; the defaults are used.</source>
        <translation>设置文件来自较新版本的 Twinlens，另存为 {name}，改用默认值。</translation>
    </message>
    <message>
        <source>no camera was found: connect one, or choose a file or the demo</source>
        <translation>找不到摄像头：请接上一个，或选择文件或演示</translation>
    </message>
    <message>
        <source>there is no camera {number} (there is {known})</source>
        <translation>没有摄像头 {number}（现有：{known}）</translation>
    </message>
    <message>
        <source>no camera is called {name} (there is {known})</source>
        <translation>没有名为 {name} 的摄像头（现有：{known}）</translation>
    </message>
    <message>
        <source>{name} cannot be opened: another program may be using it, or access to it is not allowed</source>
        <translation>无法打开 {name}：可能被其他程序占用，或没有访问权限</translation>
    </message>
    <message>
        <source>{name} is open but gives no picture: another program may be using it</source>
        <translation>{name} 已打开但没有画面：可能被其他程序占用</translation>
    </message>
    <message>
        <source>{name} stopped delivering pictures: was it unplugged?</source>
        <translation>{name} 不再传送画面：是否已拔除？</translation>
    </message>
    <message>
        <source>{name} repeats the same picture: its driver lost it</source>
        <translation>{name} 一直重复同一张画面：驱动程序已失去连接</translation>
    </message>
    <message>
        <source>{name} has not delivered a picture for {seconds} s: is another program using it?</source>
        <translation>{name} 已有 {seconds} 秒没有画面：是否被其他程序占用？</translation>
    </message>
    <message>
        <source>{name} has not delivered a picture for {seconds} s: is it switched on and in the network?</source>
        <translation>{name} 已有 {seconds} 秒没有画面：是否已开机并连上网络？</translation>
    </message>
    <message>
        <source>asked for {fps} fps, the camera says it gives {given}</source>
        <translation>请求 {fps} fps，摄像头报告 {given}</translation>
    </message>
    <message>
        <source>asked for {mode}, the camera gives {given}</source>
        <translation>请求 {mode}，摄像头给出 {given}</translation>
    </message>
    <message>
        <source>{name} does not answer (waited {seconds} s)</source>
        <translation>{name} 没有响应（等了 {seconds} 秒）</translation>
    </message>
    <message>
        <source>{name} sends no video</source>
        <translation>{name} 没有传送画面</translation>
    </message>
    <message>
        <source>{name} sends no picture (waited {seconds} s)</source>
        <translation>{name} 没有传送画面（等了 {seconds} 秒）</translation>
    </message>
    <message>
        <source>{name} sends no picture that can be decoded</source>
        <translation>{name} 没有传送可解码的画面</translation>
    </message>
    <message>
        <source>{name} sends no picture</source>
        <translation>{name} 没有传送画面</translation>
    </message>
    <message>
        <source>{name} cannot be opened: the address is not valid</source>
        <translation>无法打开 {name}：地址无效</translation>
    </message>
    <message>
        <source>{name} cannot be opened: it names no host</source>
        <translation>无法打开 {name}：其中没有主机名</translation>
    </message>
    <message>
        <source>{name} cannot be opened: there is no host called {host}</source>
        <translation>无法打开 {name}：没有名为 {host} 的主机</translation>
    </message>
    <message>
        <source>{name} cannot be opened: the host {host} cannot be looked up (is this machine online?)</source>
        <translation>无法打开 {name}：查不到主机 {host}（这台电脑联网了吗？）</translation>
    </message>
    <message>
        <source>{name} cannot be opened: no encrypted connection can be made (is it {scheme}://?)</source>
        <translation>无法打开 {name}：无法建立加密连接（是否应为 {scheme}://？）</translation>
    </message>
    <message>
        <source>{name} cannot be opened: the server has nothing at this address (404)</source>
        <translation>无法打开 {name}：服务器在此地址没有任何内容 (404)</translation>
    </message>
    <message>
        <source>{name} cannot be opened: the server answers with an error ({code})</source>
        <translation>无法打开 {name}：服务器返回错误 ({code})</translation>
    </message>
    <message>
        <source>{name}: addresses of this kind cannot be opened (http, https and rtsp can)</source>
        <translation>{name}：无法打开此类地址（可打开 HTTP、HTTPS 和 RTSP）</translation>
    </message>
    <message>
        <source>{name} does not accept this user name and password</source>
        <translation>{name} 不接受此用户名和密码</translation>
    </message>
    <message>
        <source>{name} refuses the connection: nothing listens on port {port}</source>
        <translation>{name} 拒绝连接：端口 {port} 上没有服务</translation>
    </message>
    <message>
        <source>{name} refuses the connection: nothing listens on its port</source>
        <translation>{name} 拒绝连接：其端口上没有服务</translation>
    </message>
    <message>
        <source>{name} closes the connection without an answer</source>
        <translation>{name} 未应答便关闭连接</translation>
    </message>
    <message>
        <source>it broke off: {reason}</source>
        <translation>中断了：{reason}</translation>
    </message>
    <message>
        <source>{name} broke off: {reason}</source>
        <translation>{name} 中断：{reason}</translation>
    </message>
    <message>
        <source>the server closed it</source>
        <translation>服务器关闭了连接</translation>
    </message>
    <message>
        <source>nothing came for {seconds} s</source>
        <translation>{seconds} 秒内没有收到任何数据</translation>
    </message>
    <message>
        <source>the connection was lost ({reason})</source>
        <translation>连接中断（{reason}）</translation>
    </message>
    <message>
        <source>{name} cannot be opened: {reason}</source>
        <translation>无法打开 {name}：{reason}</translation>
    </message>
    <message>
        <source>{backend} cannot be used here: {reason}</source>
        <translation>此处无法使用 {backend}：{reason}</translation>
    </message>
    <message>
        <source>no {kind} can be used here: {reason}</source>
        <translation>此处没有可用的 {kind}：{reason}</translation>
    </message>
    <message>
        <source>no GPU: the Vulkan loader found no driver for one</source>
        <translation>没有 GPU：Vulkan 加载器找不到驱动程序</translation>
    </message>
    <message>
        <source>no GPU: the WebGPU plugin sees none, although a driver lists one</source>
        <translation>没有 GPU：驱动程序列出了，但 WebGPU 插件看不到</translation>
    </message>
    <message>
        <source>no GPU: the only adapter is {name}, which is software; set {variable} to use it as a test device</source>
        <translation>没有 GPU：唯一的适配器 {name} 是软件模拟；设置 {variable} 可把它当测试设备使用</translation>
    </message>
    <message>
        <source>no GPU: {reason}</source>
        <translation>没有 GPU：{reason}</translation>
    </message>
    <message>
        <source>no Vulkan loader: {reason}</source>
        <translation>没有 Vulkan 加载器：{reason}</translation>
    </message>
    <message>
        <source>no device: the plugin sees no GPU or other accelerator</source>
        <translation>没有设备：插件看不到 GPU 或其他加速器</translation>
    </message>
    <message>
        <source>not installed: this onnxruntime build has no {provider}: {hint}</source>
        <translation>未安装：这个 onnxruntime 版本没有 {provider}：{hint}</translation>
    </message>
    <message>
        <source>not installed: {hint}</source>
        <translation>未安装：{hint}</translation>
    </message>
    <message>
        <source>{provider} exists on {system} only</source>
        <translation>{provider} 只存在于 {system}</translation>
    </message>
    <message>
        <source>{model} does not load on {backend}: {reason}</source>
        <translation>{model} 无法在 {backend} 上加载：{reason}</translation>
    </message>
    <message>
        <source>{model} does not run on {backend}: {reason}</source>
        <translation>{model} 无法在 {backend} 上运行：{reason}</translation>
    </message>
    <message>
        <source>{model} failed on {backend}: {reason}</source>
        <translation>{model} 在 {backend} 上失败：{reason}</translation>
    </message>
    <message>
        <source>its process crashed with {signal}</source>
        <translation>它的进程崩溃了（{signal}）</translation>
    </message>
    <message>
        <source>its process ended with status {status}</source>
        <translation>它的进程以状态 {status} 结束</translation>
    </message>
    <message>
        <source>{backend} runs {model} instead: {reason}</source>
        <translation>{backend} 改用 {model}：{reason}</translation>
    </message>
    <message>
        <source>{model} has no {runtime} file: {reason}</source>
        <translation>{model} 没有 {runtime} 文件：{reason}</translation>
    </message>
    <message>
        <source>no form: {reason}</source>
        <translation>没有可用的形式：{reason}</translation>
    </message>
    <message>
        <source>three of its operators exist only inside MediaPipe, so plain LiteRT cannot load it</source>
        <translation>其中三个算子只存在于 MediaPipe，纯 LiteRT 无法加载</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>{model}: {backend} is the fastest here: {speed}x as fast as {base}</source>
        <translation>{model}：{backend} 在这里最快，速度是 {base} 的 {speed} 倍</translation>
    </message>
    <message>
        <source>{model}: {backends} and {last} are equally fast here</source>
        <translation>{model}：{backends} 与 {last} 在这里一样快</translation>
    </message>
    <message>
        <source>{model}: nothing to choose: {backend} is a software GPU</source>
        <translation>{model}：没有选择：{backend} 是软件 GPU</translation>
    </message>
    <message>
        <source>no such file or directory</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>no space left on device</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation>连接被拒绝</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>文件系统只读</translation>
    </message>
    <message>
        <source>{name} wants a user name and password</source>
        <translation>{name} 需要用户名和密码</translation>
    </message>
    <message>
        <source>far</source>
        <translation>远</translation>
    </message>
    <message>
        <source>near</source>
        <translation>近</translation>
    </message>
    <message>
        <source>{count} on {provider}</source>
        <translation>{provider} 上 {count} 个</translation>
    </message>
    <message>
        <source>{count} copies a run</source>
        <translation>每次运行复制 {count} 次</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺少</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>未安装</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n 核</numerusform>
        </translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>没有 GPU</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Drag to another corner</source>
        <translation>拖到其他角落</translation>
    </message>
    <message>
        <source>Capacity: what a pipeline could do if nothing else held it up. p95: 95 of 100 frames took less.</source>
        <translation>可达帧率：没有其他限制时管线能做到的速度。p95：100 帧中有 95 帧更快。</translation>
    </message>
    <message>
        <source>Undo: {what}</source>
        <translation>撤销：{what}</translation>
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
        <translation>{task}的外观</translation>
    </message>
    <message>
        <source>look of the results</source>
        <translation>结果的外观</translation>
    </message>
    <message>
        <source>You can only seek in files on this machine; this one comes over the network.</source>
        <translation>只有这台电脑上的文件可以跳转；这个来自网络。</translation>
    </message>
    <message>
        <source>The length of this file is known once it has played to its end.</source>
        <translation>文件没有注明长度；第一次播完后就知道。</translation>
    </message>
    <message>
        <source>Look in:</source>
        <translation>位置：</translation>
    </message>
    <message>
        <source>Files of type:</source>
        <translation>文件类型：</translation>
    </message>
</context>
</TS>
